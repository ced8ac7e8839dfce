#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""What other kernels do to the places where hooks go.

drift.py near HOOKS TREE     change TREE all around every anchor: other line
                             numbers, other code before and behind, the last of
                             it touching the anchor
drift.py placed HOOKS TREE   is each hook of TREE at its anchor?
drift.py moved HOOKS TREE    every anchor in turn is changed, doubled, torn or
                             put elsewhere, in memory: fails unless each time
                             the tree is refused by hook and file
"""
import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import hooks as h   # noqa: E402


def fitting(tree, hooks):
    return [k for k in hooks if all(tree.holds(c) for c in k.when)]


def anchors(hook):
    return sum(op == " " for op, _ in hook.body)


def foreign(lines, i, n):
    """A line somebody else might have put in front of line i."""
    if i and lines[i - 1].endswith("\\"):
        return f"\t\t\t\t OTHERS_{n} | \\"
    if lines[i].startswith(("\t", " ")):
        return f"\tothers_{n}();\t/* as it happens */"
    return f"#define OTHERS_{n}\t{n}\t/* as it happens */"


def near(tree, hooks):
    for n, hook in enumerate(fitting(tree, hooks)):
        name, i, present = h.examine(tree, hook)
        assert not present
        lines = tree.lines(name)
        last = i + anchors(hook)
        lines.insert(last, foreign(lines, last, 2 * n))
        lines.insert(i, foreign(lines, i, 2 * n + 1))
    for name in {h.examine(tree, k)[0] for k in fitting(tree, hooks)}:
        tree.lines(name)[0:0] = ["/* somebody's", " * own */"] * 10
    tree.write()


def placed(tree, hooks):
    """Straight above the anchor, or behind it, with nothing in between."""
    for hook in fitting(tree, hooks):
        name, i, present = h.examine(tree, hook)
        lines = tree.lines(name)
        if not present:
            sys.exit(f"hook {hook.name} is not in {name}")
        top = h.above(lines, i)
        between = "\n".join(lines[top:i])
        if hook.lead and "others_" in between.lower():
            sys.exit(f"hook {hook.name}: {name}:{i + 1}: not at its anchor")


def changes(tree, hook):
    """(what was done, the lines then) for each way to spoil hook's anchor."""
    name, i, _ = h.examine(tree, hook)
    lines = tree.lines(name)
    n = anchors(hook)
    yield "is gone", lines[:i] + lines[i + n:]
    yield "is another", lines[:i] + ["!" + lines[i]] + lines[i + 1:]
    yield "is there twice", lines[:i] + lines[i:i + n] * 2 + lines[i + n:]
    if n > 1:
        yield "is torn", lines[:i + 1] + ["\tothers();"] + lines[i + 1:]
    if hook.scope:
        yield "is in another function", [
            l.replace(hook.scope, "others") for l in lines]
    if hook.scope and i > h.find_scope(lines, hook.scope)[0]:
        yield "is behind its function", (
            lines[:i] + lines[i + n:] + [""] + lines[i:i + n])


def moved(root, hooks):
    count = 0
    for hook in fitting(h.Tree(root), hooks):
        # of two variants the other may be the one that seems to be meant
        area = hook.name.split(".")[0]
        named = re.compile(rf"^hook {area}\b.*: ", re.M)
        variants = [k for k in hooks if k.name.split(".")[0] == area]
        for what, lines in changes(h.Tree(root), hook):
            tree = h.Tree(root)
            name = h.examine(tree, hook)[0]
            tree.new[name] = lines
            count += 1
            try:
                h.process(tree, variants)
            except h.Refused as e:
                if named.search(str(e)) and name in str(e):
                    continue
                print(f"{hook.name}: the anchor {what}: refused, but with:\n{e}")
            else:
                print(f"{hook.name}: the anchor {what}: not refused")
            sys.exit(1)
    print(f"{count} trees")


def main():
    what, hooks, root = sys.argv[1:]
    hooks = h.parse(hooks)
    if what == "moved":
        moved(root, hooks)
    else:
        {"near": near, "placed": placed}[what](h.Tree(root), hooks)


main()
