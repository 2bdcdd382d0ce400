"""Makes torch's x86 wheel load without CUDA: for every CUDA library that it names and that is not here, an empty one beside it.

The wheel's CPU kernels are whole, but the loader wants the libraries all the same, several GB of them. An empty one has the name, the
symbol versions and the functions that are looked up; each of these answers "no device" (100), so torch sees a machine without a GPU.
Usage: cuda_stand_ins.py SITE_PACKAGES. Needs gcc and readelf.
"""

import collections
import pathlib
import re
import subprocess
import sys
import tempfile

CUDA = re.compile(r"lib(cu|nv|nccl)")


def inspect(libraries):
    """Names that are needed, symbol versions wanted of each, symbols wanted, symbols there are."""
    needed, versions, wanted, defined = set(), collections.defaultdict(set), set(), set()
    for library in libraries:
        told = subprocess.run(["readelf", "-dVW", "--dyn-syms", library], capture_output=True, text=True, check=True).stdout
        needed.update(re.findall(r"\(NEEDED\).*\[(.*?)\]", told))
        file = None
        for line in told.splitlines():
            if match := re.search(r"File: (\S+)", line):
                file = match[1]
            elif (match := re.search(r"Name: (\S+)\s+Flags", line)) and file:
                versions[file].add(match[1])
            fields = line.split()
            if len(fields) < 8 or not fields[0].rstrip(":").isdigit():
                continue
            if fields[6] == "UND":
                name, _, version = fields[7].partition("@")
                wanted.add((name, version, fields[4] == "WEAK"))
            else:
                defined.add(fields[7].split("@")[0])
    return needed, versions, wanted, defined


def write(target, functions, versions, folder):
    """A library whose functions return 100, or a text where they give one."""
    source = ['static const char text[] = "no CUDA here";']
    listed = collections.defaultdict(list)
    for name, version in sorted(functions):
        is_text = "String" in name or name.endswith("ErrorName")
        source.append(f"const char *{name}(void) {{ return text; }}" if is_text else f"long {name}(void) {{ return 100; }}")
        listed[version].append(name)
    script = "".join(
        f"{version} {{ global: {' '.join(name + ';' for name in listed[version])} }};\n" if listed[version] else f"{version} {{ }};\n"
        for version in sorted(versions)
    )
    (folder / "s.c").write_text("\n".join(source) + "\n")
    (folder / "s.map").write_text(script)
    command = ["gcc", "-shared", "-fPIC", "-fno-builtin", "-w", f"-Wl,-soname,{target.name}", "-o", target, folder / "s.c"]
    subprocess.run([*command, *([f"-Wl,--version-script={folder / 's.map'}"] if script else [])], check=True)


def main(site_packages):
    place = pathlib.Path(site_packages, "torch", "lib")
    libraries = [path for path in sorted(place.glob("*.so*")) if not CUDA.match(path.name)]
    needed, versions, wanted, defined = inspect(libraries)
    missing = sorted(name for name in needed - {path.name for path in libraries} if CUDA.match(name))
    home = {version: name for name in missing for version in versions[name]}
    functions = collections.defaultdict(set)
    for name, version, weak in wanted:
        if version in home:
            functions[home[version]].add((name, version))
        elif not version and not weak and name not in defined and re.match(r"cu|nccl|nv", name):
            # Nothing says which library it is of; those without versions all have it.
            for library in missing:
                if not versions[library]:
                    functions[library].add((name, ""))
    with tempfile.TemporaryDirectory() as folder:
        for library in missing:
            write(place / library, functions[library], versions[library], pathlib.Path(folder))


if __name__ == "__main__":
    main(sys.argv[1])
