"""Photos: every format, every way up, every way to be broken. Files are made on the fly."""

import hashlib
import io
from pathlib import Path

import cv2
import numpy as np
import pillow_heif
import pytest
from PIL import Image

from poradek_vision.errors import UnreadableFile
from poradek_vision.files.listing import PhotoFile
from poradek_vision.files.photos import PhotoContent, decode_photo, load_photo

QUARTERS = np.array([[(220, 30, 30), (30, 180, 40)], [(30, 50, 210), (240, 240, 235)]], np.uint8)
"""Red, green over blue, white: no two ways up look the same."""
ORIENTED = {
    1: lambda a: a,
    2: np.fliplr,
    3: lambda a: np.rot90(a, 2),
    4: np.flipud,
    5: lambda a: a.transpose(1, 0, 2),
    6: lambda a: np.rot90(a, -1),
    7: lambda a: np.rot90(a, 2).transpose(1, 0, 2),
    8: np.rot90,
}
"""What a viewer does to stored pixels, by EXIF orientation."""


def picture(width=64, height=48):
    return np.repeat(np.repeat(QUARTERS, height // 2, axis=0), width // 2, axis=1)


def noisy(width=400, height=304):
    rng = np.random.default_rng(7)
    coarse = rng.integers(0, 255, (height // 8, width // 8, 3), np.uint8)
    return cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)


def exif(orientation=1, make=None, model=None):
    tags = Image.Exif()
    tags[0x0112] = orientation
    for tag, text in ((0x010F, make), (0x0110, model)):
        if text is not None:
            tags[tag] = text
    return tags


def encode(pixels, kind, tags=None, **options):
    """A file's bytes; HEIC's container is left as it lies, orientation stands in its EXIF only where asked."""
    out = io.BytesIO()
    if tags is not None:
        options["exif"] = tags.tobytes()
    if kind == "WEBP":
        options.setdefault("lossless", True)
    if kind == "JPEG":
        options.setdefault("quality", 92)
    image = pixels if isinstance(pixels, Image.Image) else Image.fromarray(pixels)
    if kind == "HEIC":
        pillow_heif.from_pillow(image).save(out, quality=90, **options)
    else:
        image.save(out, kind, **options)
    return out.getvalue()


def decode(data, **limits):
    return decode_photo(PhotoContent("IMG_1.jpg", hashlib.sha256(data).hexdigest(), data), **limits)


def quarters(pixels):
    """The colours in the middle of the four quarters."""
    height, width = pixels.shape[:2]
    rows, cols = [height // 4, 3 * height // 4], [width // 4, 3 * width // 4]
    return pixels[np.ix_(rows, cols)].astype(int)


def refused(data, key, **limits):
    with pytest.raises(UnreadableFile) as caught:
        decode(data, **limits)
    assert caught.value.text.key == key
    assert "IMG_1.jpg" in str(caught.value)
    return caught.value


# --- what is read -------------------------------------------------------------------------------------------------


def test_record_of_a_photo_with_a_name_that_windows_and_shells_dislike(tmp_path: Path):
    path = tmp_path / "večerní hra č. 3.JPG"
    path.write_bytes(encode(picture(), "JPEG", exif(1, "Apple", "iPhone 12")))
    photo = load_photo(PhotoFile("hra/" + path.name, path))
    assert photo.name == "hra/večerní hra č. 3.JPG"
    assert photo.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert photo.camera == "Apple iPhone 12"
    assert (photo.scale, photo.full_size) == (1, (64, 48))
    assert photo.pixels.dtype == np.uint8
    assert not photo.pixels.flags.writeable
    np.testing.assert_allclose(quarters(photo.pixels), QUARTERS, atol=12)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF"])
@pytest.mark.parametrize("orientation", range(10))
def test_orientation_is_obeyed_exactly_once(kind, orientation):
    photo = decode(encode(picture(), kind, exif(orientation)))
    expected = ORIENTED.get(orientation, ORIENTED[1])(QUARTERS)
    np.testing.assert_allclose(quarters(photo.pixels), expected, atol=12)
    assert photo.full_size == photo.pixels.shape[1::-1]
    assert photo.full_size == ((48, 64) if 5 <= orientation <= 8 else (64, 48))


@pytest.mark.parametrize("orientation", range(1, 9))
def test_heic_is_turned_by_its_container_and_not_again_by_its_exif(orientation):
    photo = decode(encode(picture(), "HEIC", exif(orientation, "Apple", "iPhone 15 Pro")))
    np.testing.assert_allclose(quarters(photo.pixels), ORIENTED[orientation](QUARTERS), atol=20)
    assert photo.camera == "Apple iPhone 15 Pro"


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF", "HEIC"])
def test_the_camera_is_told_in_every_format(kind):
    assert decode(encode(picture(), kind, exif(1, "Canon", "Canon EOS 90D"))).camera == "Canon EOS 90D"
    assert decode(encode(picture(), kind)).camera == ""


def test_broken_exif_is_no_reason_to_refuse():
    data = bytearray(encode(picture(), "JPEG", exif(6, "Apple", "iPhone 12")))
    at = data.index(b"Exif\0\0") + 10
    data[at : at + 4] = b"\xff\xff\xff\xff"
    assert decode(bytes(data)).full_size == (64, 48)


@pytest.mark.parametrize("mode", ["L", "CMYK"])
def test_other_colour_models_of_jpeg_become_rgb(mode):
    image = Image.fromarray(picture()).convert(mode)
    expected = quarters(np.asarray(image.convert("RGB")))
    np.testing.assert_allclose(quarters(decode(encode(image, "JPEG")).pixels), expected, atol=12)


@pytest.mark.parametrize("mode", ["L", "P", "RGBA"])
def test_other_colour_models_of_png_become_rgb(mode):
    image = Image.fromarray(picture()).convert(mode)
    assert np.array_equal(decode(encode(image, "PNG")).pixels, np.asarray(image.convert("RGB")))


def test_what_is_transparent_lies_on_white():
    clear = Image.fromarray(np.dstack([picture(), np.zeros((48, 64), np.uint8)]))
    for kind in ("PNG", "WEBP"):
        assert np.all(decode(encode(clear, kind)).pixels == 255)


@pytest.mark.parametrize("suffix", [".png", ".tiff"])
@pytest.mark.parametrize("grey", [True, False])
def test_of_sixteen_bits_the_upper_eight_are_kept(suffix, grey):
    deep = picture()[..., ::-1].astype(np.uint16) * 256 + 99
    deep = deep[..., 1] if grey else deep
    data = cv2.imencode(suffix, deep)[1].tobytes()
    expected = picture()[..., [1, 1, 1]] if grey else picture()
    assert np.array_equal(decode(data).pixels, expected)


def test_content_counts_and_not_the_suffix(tmp_path: Path):
    path = tmp_path / "a.jpg"
    path.write_bytes(encode(picture(), "PNG"))
    assert np.array_equal(load_photo(PhotoFile("a.jpg", path)).pixels, picture())


@pytest.mark.parametrize("trailing", [b"\0" * 5000, b"\0\0\0\x18ftypmp42" + b"film" * 999, b"\xff\xd8\xff\xe1\0"])
def test_what_follows_a_jpeg_is_ignored(trailing):
    whole = encode(picture(), "JPEG")
    assert np.array_equal(decode(whole + trailing).pixels, decode(whole).pixels)


@pytest.mark.parametrize("options", [{"progressive": True}, {"restart_marker_blocks": 3}, {"optimize": True}])
def test_progressive_optimised_and_restarting_jpegs_are_read(options):
    assert decode(encode(noisy(), "JPEG", **options)).full_size == (400, 304)


def test_a_grey_jpeg_is_a_picture_too():
    assert np.all(decode(encode(np.full((48, 64, 3), 128, np.uint8), "JPEG")).pixels == 128)


# --- reducing -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("megapixels", "by"), [((4000, 3000), 2), ((3264, 2448), 1), ((8064, 6048), 4)])
def test_reduction_of_usual_phones(megapixels, by):
    width, height = megapixels
    photo = decode(encode(np.full((height, width), 200, np.uint8), "JPEG", quality=30))
    assert (photo.scale, photo.full_size) == (1 / by, megapixels)
    assert photo.pixels.shape == (height // by, width // by, 3)


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("size", [(160, 120), (163, 121), (167, 127)])
def test_reduced_pixels_lie_where_scale_says(kind, orientation, size):
    """A ramp along each axis tells where a pixel came from."""
    width, height = size
    y, x = np.mgrid[:height, :width]
    stored = np.dstack([x, y, np.zeros_like(x)]).astype(np.uint8)
    options = {"subsampling": 0} if kind == "JPEG" else {}
    photo = decode(encode(stored, kind, exif(orientation), **options), min_pixels=250)
    full = ORIENTED[orientation](stored)
    assert photo.scale == 1 / 8
    assert photo.full_size == full.shape[1::-1]
    rows, cols = (n // 8 for n in full.shape[:2])
    expected = full[: rows * 8, : cols * 8].reshape(rows, 8, cols, 8, 3).mean(axis=(1, 3))
    np.testing.assert_allclose(photo.pixels[:rows, :cols], expected, atol=2.5)


# --- what is refused ----------------------------------------------------------------------------------------------


def test_nothing_that_can_be_opened(tmp_path: Path):
    with pytest.raises(UnreadableFile) as caught:
        load_photo(PhotoFile("gone.jpg", tmp_path / "gone.jpg"))
    assert caught.value.text.key == "photo.cannot_open"


@pytest.mark.parametrize(
    ("data", "key"),
    [
        (b"", "photo.empty"),
        (b"Ahoj, tohle nen\xc3\xad fotka.\n" * 9, "photo.not_an_image"),
        (b"\0" * 4096, "photo.truncated"),
        (b"%PDF-1.7 ...", "photo.unsupported"),
        (b"PK\x03\x04....", "photo.unsupported"),
        (b"\0\0\0\x18ftypavif\0\0\0\0avifmif1", "photo.unsupported"),
        (b"\0\0\0\x18ftypmp42\0\0\0\0isommp42", "photo.video"),
        (b"RIFF\x00\x10\0\0AVI LIST", "photo.video"),
        (b"\0\0\0\x18ftypcrx \0\0\0\1crx isom", "photo.raw"),
        (b"II*\0\x10\0\0\0CR\x02\0", "photo.raw"),
        (b"II*\0\x08\0\0\0\x01\0\xfe\0\x04\0\x01\0\0\0\x01\0\0\0\0\0\0\0", "photo.raw"),
    ],
)
def test_what_is_no_photo_is_refused_for_what_it_is(data, key):
    refused(data, key)


def test_a_gif_is_refused_by_its_name():
    assert "GIF" in str(refused(encode(picture(), "GIF"), "photo.unsupported"))


@pytest.mark.parametrize("kind", ["TIFF", "WEBP", "PNG"])
def test_several_pages_are_refused_since_only_one_would_be_seen(kind):
    pages = encode(picture(), kind, save_all=True, append_images=[Image.new("RGB", (64, 48), "red")])
    assert "(2)" in str(refused(pages, "photo.many_pages"))


def test_a_thumbnail_in_a_tiff_is_no_page():
    whole, small = Image.fromarray(picture()), Image.new("RGB", (8, 6))
    small.encoderinfo = {"tiffinfo": {254: 1}}
    assert decode(encode(whole, "TIFF", save_all=True, append_images=[small])).pixels.shape == (48, 64, 3)


@pytest.mark.parametrize("options", [{}, {"progressive": True}, {"restart_marker_blocks": 4}], ids=str)
def test_a_jpeg_cut_anywhere_is_truncated(options):
    whole = encode(noisy(), "JPEG", exif(6, "Apple", "iPhone 12"), **options)
    for cut in [2, 3, 10, 40, 200, 500, *range(700, len(whole), len(whole) // 40), len(whole) - 2, len(whole) - 1]:
        refused(whole[:cut], "photo.truncated")


@pytest.mark.parametrize("options", [{}, {"progressive": True}, {"restart_marker_blocks": 4}], ids=str)
def test_a_jpeg_with_a_tail_of_zeros_is_truncated(options):
    whole = encode(noisy(), "JPEG", exif(6, "Apple", "iPhone 12"), **options)
    for cut in [2, *range(800, len(whole), len(whole) // 40)]:
        refused(whole[:cut] + bytes(len(whole) - cut), "photo.truncated")


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "TIFF", "HEIC"])
def test_other_pictures_cut_anywhere_are_refused(kind):
    whole = encode(noisy(), kind, exif(6, "Apple", "iPhone 12"))
    for cut in [16, 100, *range(200, len(whole), len(whole) // 30), len(whole) - 1]:
        with pytest.raises(UnreadableFile) as caught:
            decode(whole[:cut])
        assert caught.value.text.key in ("photo.truncated", "photo.corrupt")


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "HEIC"])
def test_other_pictures_with_a_tail_of_zeros_are_refused(kind):
    whole = encode(noisy(), kind)
    for cut in range(100, len(whole) - 300, len(whole) // 30):
        with pytest.raises(UnreadableFile):
            decode(whole[:cut] + bytes(len(whole) - cut))


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF", "HEIC"])
def test_a_file_with_a_page_never_written_is_corrupt(kind):
    whole = bytearray(encode(np.random.default_rng(1).integers(0, 255, (240, 320, 3), np.uint8), kind))
    whole[8192:12288] = bytes(4096)
    refused(bytes(whole), "photo.corrupt")


def test_a_jpeg_cut_and_ended_all_the_same_is_corrupt():
    whole = encode(noisy(), "JPEG")
    refused(whole[: len(whole) // 2] + b"\xff\xd9", "photo.corrupt")


def test_a_jpeg_whose_restarts_are_out_of_turn_is_corrupt():
    whole = bytearray(encode(noisy(), "JPEG", restart_marker_blocks=4))
    at = whole.index(b"\xff\xd2")
    del whole[at : at + 40]
    refused(bytes(whole), "photo.corrupt")


def test_a_jpeg_with_a_marker_amid_its_data_is_corrupt():
    whole = bytearray(encode(noisy(), "JPEG"))
    whole[len(whole) // 2 : len(whole) // 2 + 2] = b"\xff\x42"
    refused(bytes(whole), "photo.corrupt")


def test_a_png_with_a_bit_flipped_is_corrupt():
    whole = bytearray(encode(noisy(), "PNG"))
    whole[len(whole) // 2] ^= 1
    refused(bytes(whole), "photo.corrupt")


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF", "HEIC"])
def test_too_many_pixels_are_refused_with_their_number(kind):
    error = refused(encode(picture(2000, 1000), kind), "photo.too_large", max_pixels=1_900_000)
    assert "2000×1000" in str(error)


def test_a_bomb_is_refused_by_its_header():
    data = bytearray(encode(picture(), "JPEG"))
    frame = data.index(b"\xff\xc0")
    data[frame + 5 : frame + 9] = b"\xff\xdc\xff\xdc"
    refused(bytes(data), "photo.too_large")
    data[frame + 5 : frame + 9] = b"\0\0\xff\xdc"
    refused(bytes(data), "photo.no_pixels")
