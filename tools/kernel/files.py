# SPDX-License-Identifier: GPL-2.0
"""Which files of this checkout go into a kernel tree, at the same paths."""
import os

PLACES = ("kernel/utrace", "include", "tools/testing/selftests/utrace",
          "samples/utrace", "Documentation/trace/utrace")
PRODUCTS = (".o", ".ko", ".mod", ".mod.c", ".cmd", ".order", ".symvers", ".pyc",
            "~", ".orig", ".rej", ".swp")


def overlay(top):
    """Their names, sorted."""
    names = []
    for place in PLACES:
        for directory, _, files in os.walk(os.path.join(top, place)):
            names += [os.path.relpath(os.path.join(directory, f), top)
                      for f in files if not f.endswith(PRODUCTS)]
    return sorted(names)


def ours(name):
    """Is name in a directory that is wholly ours?"""
    return any(name.startswith(p + "/") for p in PLACES if p != "include")


if __name__ == "__main__":
    print("\n".join(overlay(os.path.realpath(
        os.path.join(os.path.dirname(__file__), "../..")))))
