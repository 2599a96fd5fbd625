"""YAML text to a tree of texts that knows every line.

Scalars stay the texts that were written, so `10:00`, `0777`, `.inf` or a date mean what their key says.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from arena.errors import ConfigError, UsageError

Value = str | None | list["Node"] | dict[str, "Node"]

MAX_DEPTH = 20


@dataclass(frozen=True, slots=True)
class Node:
    """A value of a config: its key from the root (`format.rounds`, `bots[2]`) and its line, from 1."""

    key: str
    line: int
    value: Value

    def plain(self) -> object:
        """The same without lines: texts, None, lists and dicts."""
        if isinstance(self.value, dict):
            return {key: node.plain() for key, node in self.value.items()}
        if isinstance(self.value, list):
            return [node.plain() for node in self.value]
        return self.value

    def said(self) -> str:
        """The value as a problem quotes it."""
        return "null" if self.value is None else f"{self.plain()!s:.60}"


@dataclass(slots=True)
class Problems:
    """The problems of one file, collected so that all are told at once."""

    path: Path
    found: list[tuple[int, str]] = field(default_factory=list)

    def add(self, node: Node, text: str) -> None:
        self.at(node.line, f"{node.key}: {text}" if node.key else text)

    def at(self, line: int, text: str) -> None:
        """One line, whatever it quotes: what a terminal would obey is replaced."""
        text = "".join(char if char.isprintable() else "\ufffd" for char in text)
        if (line, text) not in self.found:
            self.found.append((line, text))

    def stop_if_any(self) -> None:
        """ConfigError with every problem, in the order of their lines."""
        if self.found:
            raise ConfigError([f"{self.path}:{line}: {text}" for line, text in sorted(self.found)])


def load(path: Path, problems: Problems) -> Node:
    """The file's tree; duplicate keys are added to the problems, what YAML itself refuses stops at once."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UsageError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise UsageError(f"{path}: a folder, not a config file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: cannot be read as a UTF-8 text ({error})") from None
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(r" *\t", line):
            problems.at(number, "a tab; YAML is indented with spaces")
    problems.stop_if_any()
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problems.at(mark.line + 1 if mark else 1, f"not YAML: {error.problem or error.context}")
    except yaml.YAMLError as error:
        problems.at(1, f"not YAML: {str(error).splitlines()[0]}")
    except RecursionError:
        problems.at(1, "not a config: nested too deeply")
    problems.stop_if_any()
    if isinstance(root, yaml.MappingNode):
        return _node(root, "", 1, problems)
    raise ConfigError([f"{path}:1: a config is a mapping of keys, like `name: Autumn cup`"])


def _node(found: yaml.Node, key: str, line: int, problems: Problems, depth: int = 0) -> Node:
    if depth > MAX_DEPTH:  # an alias may hold itself
        problems.at(line, f"{key}: nested too deeply")
        problems.stop_if_any()
    if isinstance(found, yaml.MappingNode):
        return Node(key, line, _mapping(found, key, problems, depth))
    if isinstance(found, yaml.SequenceNode):
        items = [
            _node(item, f"{key}[{number}]", item.start_mark.line + 1, problems, depth + 1)
            for number, item in enumerate(found.value)
        ]
        return Node(key, line, items)
    assert isinstance(found, yaml.ScalarNode)
    null = found.style is None and found.value in ("", "~", "null", "Null", "NULL")
    return Node(key, line, None if null else str(found.value))


def _mapping(found: yaml.MappingNode, key: str, problems: Problems, depth: int) -> dict[str, Node]:
    nodes: dict[str, Node] = {}
    for name_node, value in found.value:
        line = name_node.start_mark.line + 1
        if not isinstance(name_node, yaml.ScalarNode):
            problems.at(line, f"{key or 'config'}: a key is one word")
            continue
        name = str(name_node.value)
        node = _node(value, f"{key}.{name}" if key else name, line, problems, depth + 1)
        if name in nodes:
            problems.add(node, f"given twice; the first is in line {nodes[name].line}")
        else:
            nodes[name] = node
    return nodes
