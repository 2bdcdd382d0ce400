"""Stand-ins for what a trainer's data classes import and never call, so that the real classes load without a GPU stack."""

import importlib.abc
import importlib.machinery
import sys
import types


def stand_in(name):
    """By its capital it is a class, and may be asked for with isinstance."""
    if name.startswith("__"):
        raise AttributeError(name)
    return Kind(name, (Anything,), {}) if name[0].isupper() else Anything()


class Kind(type):
    def __getattr__(cls, name):
        return stand_in(name)


class Anything:
    """Takes any call, any attribute, any place in a type annotation or list of bases."""

    def __init__(self, *args, **kwargs):
        pass

    def __call__(self, *args, **kwargs):
        # As a decorator it must leave the function alone.
        return args[0] if len(args) == 1 and callable(args[0]) else self

    def __getattr__(self, name):
        return stand_in(name)

    def __mro_entries__(self, bases):
        return (object,)

    def __getitem__(self, key):
        return self

    def __iter__(self):
        return iter(())

    def __fspath__(self):
        return "."

    def __or__(self, other):
        return object

    __ror__ = __or__

    def __contains__(self, item):
        return False

    def __lt__(self, other):
        return False

    def __ge__(self, other):
        return True

    __le__, __gt__ = __lt__, __ge__

    def __class_getitem__(cls, key):
        return cls

    @classmethod
    def __get_pydantic_core_schema__(cls, source, handler):
        from pydantic_core import core_schema

        return core_schema.any_schema()


class StandIn(types.ModuleType):
    __path__ = []
    __version__ = "99.0.0"

    def __getattr__(self, name):
        value = stand_in(name)
        setattr(self, name, value)
        return value


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Asked last: a package that is installed is always the real one."""

    def __init__(self, roots):
        self.roots = set(roots)

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in self.roots:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return StandIn(spec.name)

    def exec_module(self, module):
        pass


def stand_in_for(names):
    sys.meta_path.append(Finder(names.split()))
