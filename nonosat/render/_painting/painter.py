"""Common base of the painters that work in points and lengths: shapes in groups, in order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable

from nonosat.render.shapes import Circle, Group, Path, Shape, Texts


class Painter(ABC):
    """Painter of shapes; subclasses define how each kind of shape is drawn."""

    def paint(self, shapes: Iterable[Shape], x: float, y: float, scale: float) -> None:
        """Paint shapes whose origin is at (x, y), enlarged `scale` times."""
        for shape in shapes:
            if isinstance(shape, Group):
                left, top = x + shape.x * scale, y + shape.y * scale
                self.paint(shape.shapes, left, top, scale * shape.scale)
            elif isinstance(shape, Path):
                if shape.data:
                    self._path(shape, x, y, scale)
            elif isinstance(shape, Circle):
                self._circle(shape, x, y, scale)
            else:
                self._texts(shape, x, y, scale)

    @abstractmethod
    def _path(self, path: Path, x: float, y: float, scale: float) -> None: ...

    @abstractmethod
    def _circle(self, circle: Circle, x: float, y: float, scale: float) -> None: ...

    @abstractmethod
    def _texts(self, texts: Texts, x: float, y: float, scale: float) -> None: ...
