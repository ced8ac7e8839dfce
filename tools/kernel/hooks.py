# SPDX-License-Identifier: GPL-2.0
"""Insert hooks into a kernel source tree, and take them out again.

kernel/utrace/hooks describes them.  A hook is a diff hunk that names the
function it belongs to instead of a line number:

    hook fork.init
    file kernel/fork.c               candidates; the first with the scope wins
    in   copy_process                function, struct, enum or macro (optional)
    when PATH ~ REGEX                skip the hook unless a line matches (or !~)
    need PATH !~ REGEX               refuse the tree unless (or ~)
     	if (!p)                      anchor; blanks are squeezed, ... is anything
     		goto fork_out;
    +	utrace_task_init(p);         inserted as it stands

The anchor lines must stand in the scope exactly once, one after the other.
Text in front of the first anchor goes above a comment attached to it.
Everything is worked out in memory first, so that a tree is changed by all
hooks or by none.
"""
import difflib
import os
import re
import shutil
import tempfile


class Refused(Exception):
    """The tree (or the hooks file) is not what the hooks were written for."""


class Hook:
    def __init__(self, name):
        self.name, self.files, self.scope = name, [], None
        self.when, self.need = [], []
        self.lead, self.body = [], []   # text above, then ("+" | " ", text)

    def add(self, op, text):
        if op == "+" and not self.body:
            self.lead.append(text)
        else:
            self.body.append((op, text))

    def inserted(self):
        return self.lead + [t for op, t in self.body if op == "+"]

    def place(self):
        return f"{self.scope}() in " if self.scope else ""


def parse(path):
    """The hooks of the file at path, in its order."""
    hooks = []
    with open(path, encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            line = line.rstrip("\n")
            if not line.strip() or line[0] == "#":
                continue
            try:
                parse_line(hooks, line)
            except (ValueError, AttributeError, IndexError):
                raise Refused(f"{path}:{number}: cannot read {line!r}") from None
    for hook in hooks:
        if not hook.files or not any(op == " " for op, _ in hook.body):
            raise Refused(f"{path}: hook {hook.name} has no file or no anchor")
    return hooks


def parse_line(hooks, line):
    if line[0] in " +":
        hooks[-1].add(line[0], line[1:])
        return
    key, arg = line.split(None, 1)
    arg = arg.strip()
    if key == "hook":
        hooks.append(Hook(arg))
    elif key == "file":
        hooks[-1].files = arg.split()
    elif key == "in":
        hooks[-1].scope = arg
    elif key in ("when", "need"):
        cond = re.match(r"(\S+)\s+(!?~)\s+(.*)", arg).groups()
        getattr(hooks[-1], key).append(cond)
    else:
        raise ValueError(key)


# without these it is not a kernel source tree
LANDMARKS = ("Kbuild", "Kconfig", "Makefile", "kernel/fork.c",
             "include/linux/sched.h")


class Tree:
    """A source tree's files as they are and as they are to be."""

    def __init__(self, root):
        self.root, self.old, self.new = root, {}, {}
        for name in LANDMARKS:
            if not os.path.isfile(os.path.join(root, name)):
                raise Refused(f"{root} is not a kernel source tree: no {name}")

    def lines(self, name):
        """The lines of a file, to be changed in place; None: no such file."""
        if name not in self.new:
            try:
                with open(os.path.join(self.root, name), "rb") as f:
                    text = f.read().decode("latin-1")   # any byte survives
            except FileNotFoundError:
                return None
            self.old[name] = text.split("\n")
            self.new[name] = list(self.old[name])
        return self.new[name]

    def holds(self, cond):
        name, op, regex = cond
        found = any(re.search(regex, l) for l in self.lines(name) or [])
        return found == (op == "~")

    def changed(self):
        return sorted(f for f in self.new if self.new[f] != self.old[f])

    def diff(self):
        return "".join(unified(f, self.old[f], self.new[f])
                       for f in self.changed())

    def write(self):
        """Each file by rename; when one fails the others get their old text."""
        done = []
        try:
            for name in self.changed():
                replace(os.path.join(self.root, name), self.new[name])
                done.append(name)
        except OSError:
            for name in done:
                replace(os.path.join(self.root, name), self.old[name])
            raise


def replace(path, lines):
    path = os.path.realpath(path)
    fd, temp = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".utrace-")
    try:
        with os.fdopen(fd, "wb") as f:
            f.write("\n".join(lines).encode("latin-1"))
        shutil.copymode(path, temp)
        os.replace(temp, path)
    except BaseException:
        os.unlink(temp)
        raise


def unified(name, old, new, mode=None):
    """A patch for one file; old is None for a new file of that mode."""
    head = f"diff --git a/{name} b/{name}\n"
    source = "a/" + name
    if old is None:
        head += f"new file mode {mode or '100644'}\n"
        old, source = [""], "/dev/null"
    # split("\n") leaves an empty string behind a final newline
    parts = [[l + "\n" for l in lines[:-1]] + lines[-1:] for lines in (old, new)]
    a, b = [p[:-1] if p[-1] == "" else p for p in parts]
    out = []
    for line in difflib.unified_diff(a, b, source, "b/" + name):
        out.append(line)
        if not line.endswith("\n"):
            out.append("\n\\ No newline at end of file\n")
    return head + "".join(out)


def find_scope(lines, name):
    """(first, behind) of the only definition of name, or None."""
    if name is None:
        return 0, len(lines)
    word = re.escape(name)
    macro = re.compile(r"#\s*define\s+%s\b" % word)
    aggregate = re.compile(r"(struct|enum|union)\s+%s\s*\{" % word)
    function = re.compile(r"(?!#)\w[^;={]*?\b%s\(|%s\(" % (word, word))
    found = []
    for i, line in enumerate(lines):
        if macro.match(line):
            end = i
            while lines[end].endswith("\\") and end + 1 < len(lines):
                end += 1
        elif aggregate.match(line) or function.match(line):
            end = closing_brace(lines, i)
        else:
            continue
        if end is not None:
            found.append((i, end + 1))
    return found[0] if len(found) == 1 else None


def closing_brace(lines, i):
    """The line of the brace that ends what begins at i; None: a declaration."""
    while i < len(lines) and not re.search(r"[{;]", lines[i]):
        i += 1
    if i == len(lines) or re.search(r";\s*$", lines[i].split("{")[0]):
        return None
    while i < len(lines) and not lines[i].startswith("}"):
        i += 1
    return i if i < len(lines) else None


def squeeze(text):
    return re.sub(r"\s+", " ", text).strip()


def anchor(text):
    pattern = ".*".join(re.escape(p) for p in squeeze(text).split("..."))
    return lambda line: re.fullmatch(pattern, squeeze(line)) is not None


def verbatim(text):
    return lambda line: line == text


def above(lines, i):
    """Where text in front of line i goes: above the comment attached to it."""
    if not i or not lines[i - 1].rstrip().endswith("*/"):
        return i
    first = i - 1
    while first and "/*" not in lines[first]:
        first -= 1
    # behind code it is that code's comment
    return first if lines[first].lstrip().startswith("/*") else i


def matches(lines, scope, hook, hooked):
    """Where the hook's first anchor stands, with or without the inserted text."""
    tests = [verbatim(t) if op == "+" else anchor(t)
             for op, t in hook.body if hooked or op == " "]
    out = []
    for i in range(scope[0], scope[1] - len(tests) + 1):
        if not all(t(lines[i + j]) for j, t in enumerate(tests)):
            continue
        top = above(lines, i)
        if hooked and lines[max(top - len(hook.lead), 0):top] != hook.lead:
            continue
        out.append(i)
    return out


def traces(lines, scope, hook):
    """Lines of the hook that are there already."""
    own = {squeeze(t) for t in hook.inserted() if "utrace" in t.lower()}
    return [i for i in range(*scope) if squeeze(lines[i]) in own]


def examine(tree, hook):
    """(file, line, present?) of the one place where the hook belongs."""
    why = []
    for name in hook.files:
        lines = tree.lines(name)
        if lines is None:
            why.append(f"{name}: no such file")
            continue
        scope = find_scope(lines, hook.scope)
        if scope is None:
            why.append(f"{name}: no (or no single) definition of {hook.scope}")
            continue
        there = matches(lines, scope, hook, True)
        if len(there) == 1:
            return name, there[0], True
        if traces(lines, scope, hook):
            why.append(f"{name}: the hook is half there already "
                       f"(line {traces(lines, scope, hook)[0] + 1})")
            break
        free = matches(lines, scope, hook, False)
        if len(free) == 1:
            return name, free[0], False
        first = next(t for op, t in hook.body if op == " ").strip()
        why.append(f"{name}: anchor '{first}' stands {len(free)} times in "
                   f"{hook.scope or 'the file'}, not once")
    raise Refused(f"hook {hook.name}: " + "; ".join(why))


def blank(text):
    return "\\" if text.endswith("\\") else ""


def insert(lines, i, hook, blanks):
    """Returns the number of the first line inserted."""
    show = blank if blanks else str
    out, j = [], i
    for op, text in hook.body:
        out.append(show(text) if op == "+" else lines[j])
        j += op == " "
    lines[i:j] = out
    if hook.lead:
        i = above(lines, i)
        lines[i:i] = [show(t) for t in hook.lead]
        return i + 1
    return i + 1 + [op for op, _ in hook.body].index("+")


def remove(lines, i, hook):
    old = lines[i:i + len(hook.body)]
    lines[i:i + len(old)] = [l for l, (op, _) in zip(old, hook.body) if op == " "]
    top = above(lines, i)
    del lines[top - len(hook.lead):top]
    return top - len(hook.lead) + 1


def process(tree, hooks, reverse=False, blanks=False):
    """Apply (or remove) all hooks to tree's lines.

    Returns one (hook, what was done) each; raises Refused with every hook that
    does not fit.  Only the caller's tree.write() changes anything on disk.
    """
    report, bad, places = [], [], {}
    fitting = [h for h in hooks if all(tree.holds(c) for c in h.when)]
    for hook in fitting:
        try:
            if not reverse:
                for cond in hook.need:
                    if not tree.holds(cond):
                        raise Refused(f"hook {hook.name}: {cond[0]}: needs "
                                      f"{cond[1]} {cond[2]}: the bit is taken")
            places[hook] = examine(tree, hook)
        except Refused as e:
            bad.append(str(e))
    present = [h for h in places if places[h][2]]
    absent = [h for h in places if not places[h][2]]
    if not reverse and not bad and present and absent:
        bad += [f"hook {h.name}: {places[h][0]}: missing, while others are there "
                "(half-applied; remove them first)" for h in absent]
    if bad:
        raise Refused("\n".join(bad))
    for hook in reversed(hooks) if reverse else hooks:
        if hook not in places:
            report.append((hook, "not for this tree"))
        elif places[hook][2] != reverse:
            report.append((hook, "not there" if reverse else "already there"))
        else:
            name, i, _ = examine(tree, hook)    # earlier hooks moved the lines
            lines = tree.lines(name)
            line = remove(lines, i, hook) if reverse else \
                insert(lines, i, hook, blanks)
            report.append((hook, f"{name}:{line}"))
    return report
