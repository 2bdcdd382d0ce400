import { accessSync, constants, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, isAbsolute, join } from 'node:path';

/** Packages that carry the program; each exports its path, or an object with it. Not dependencies: used if somebody installed one. */
const PACKAGES = ['ffmpeg-static', '@ffmpeg-installer/ffmpeg'];

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function pathOf(exported: unknown): string | null {
  const path =
    typeof exported === 'object' && exported !== null && 'path' in exported ? exported.path : exported;
  return typeof path === 'string' ? path : null;
}

/** A package can be there without its program, when its download was refused; then it does not count. */
function fromPackages(require: (name: string) => unknown): string | null {
  for (const name of PACKAGES) {
    try {
      const path = pathOf(require(name));
      if (path !== null && isProgram(path)) return path;
    } catch {
      // Not installed.
    }
  }
  return null;
}

/** Where ffmpeg is: in a folder of the search path (the PATH variable's value), else in an installed package, else null. */
export function findFfmpeg(
  searchPath: string,
  require: (name: string) => unknown = createRequire(import.meta.url),
): string | null {
  for (const folder of searchPath.split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    for (const name of ['ffmpeg', 'ffmpeg.exe']) {
      const path = join(folder, name);
      if (existsSync(path) && isProgram(path)) return path;
    }
  }
  return fromPackages(require);
}
