# SPDX-License-Identifier: AGPL-3.0-or-later
"""An image: as large as there is room, never larger than it is, or as the person zooms it."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import (
    QImage,
    QImageReader,
    QKeyEvent,
    QPainter,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QFrame,
    QGraphicsPixmapItem,
    QGraphicsScene,
    QGraphicsView,
    QSizePolicy,
)

from carrel.model.rendition import Picture
from carrel.translation import tr
from carrel_desktop.widgets.labels import named

STEP = 1.25
SMALLEST, LARGEST = 0.05, 16.0
MOST_MIB = 128  # that Qt unpacks; what the reader sends is far smaller


def image_of(picture: Picture) -> QImage:
    """Return the image of a picture; a null one if it is not what it says."""
    QImageReader.setAllocationLimit(MOST_MIB)
    image = QImage.fromData(picture.content)
    is_right = (image.width(), image.height()) == (picture.width, picture.height)
    return image if is_right else QImage()


class PictureView(QGraphicsView):
    """Fits its room until it is zoomed; then it can be dragged about."""

    def __init__(self) -> None:
        super().__init__()
        self._item = QGraphicsPixmapItem()
        self._item.setTransformationMode(Qt.TransformationMode.SmoothTransformation)
        scene = QGraphicsScene(self)
        scene.addItem(self._item)
        self.setScene(scene)
        self._is_fitted = True
        named(self, "content_picture")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.AnchorUnderMouse)
        self.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.setBackgroundRole(self.backgroundRole())
        self.viewport().setAutoFillBackground(False)

    def show_picture(self, image: QImage, said: str) -> None:
        """Show an image; `said` is what is read out of it."""
        self._item.setPixmap(QPixmap.fromImage(image))
        self.setSceneRect(QRectF(image.rect()))
        self.setAccessibleName(said or tr("Image"))
        self.fit()

    @property
    def scale_shown(self) -> float:
        """How large a pixel of the image is."""
        return self.transform().m11()

    def fit(self) -> None:
        """Show all of it."""
        self._is_fitted = True
        self.setDragMode(QGraphicsView.DragMode.NoDrag)
        self.resetTransform()
        size, room = self._item.pixmap().size(), self.maximumViewportSize()
        if size.isEmpty() or room.isEmpty():
            return
        factor = min(1.0, room.width() / size.width(), room.height() / size.height())
        self.scale(factor, factor)

    def zoom(self, factor: float) -> None:
        """Show it so much larger, or smaller."""
        wanted = max(SMALLEST, min(LARGEST, self.scale_shown * factor))
        self._is_fitted = False
        self.setDragMode(QGraphicsView.DragMode.ScrollHandDrag)
        self.scale(wanted / self.scale_shown, wanted / self.scale_shown)

    def sizeHint(self) -> QSize:
        return self._item.pixmap().size()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._is_fitted:
            self.fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(STEP if event.angleDelta().y() > 0 else 1 / STEP)
            event.accept()
        else:
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Plus: STEP, Qt.Key.Key_Equal: STEP, Qt.Key.Key_Minus: 1 / STEP}
        key = Qt.Key(event.key())
        if key in steps:
            self.zoom(steps[key])
        elif key is Qt.Key.Key_0:
            self.fit()
        else:
            super().keyPressEvent(event)
