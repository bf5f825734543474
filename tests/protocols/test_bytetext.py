"""Bytes as a technician writes them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.bytetext import read_bytes, spell_bytes
from protocols.settingerror import SettingError


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("<STX>D12<ETX>", b"\x02D12\x03"),
        ("D12<CR><LF>", b"D12\r\n"),
        ("<aa><55>", b"\xaa\x55"),
        ("A<3C>B", b"A<B"),
        ("<FF><0C>", b"\xff\x0c"),  # FF is the byte, never the form feed
        ("<ENQ><ACK><NAK><nul><DEL>", b"\x05\x06\x15\x00\x7f"),
        ("", b""),
    ],
)
def test_a_text_stands_for_these_bytes(text: str, data: bytes) -> None:
    assert read_bytes(text) == data


@given(st.binary())
def test_every_byte_can_be_written(data: bytes) -> None:
    assert read_bytes(spell_bytes(data)) == data


@pytest.mark.parametrize("text", ["<STXX>", "<>", "<8>", "<CR", "A<", "naïve", "tab\t", "<C R>"])
def test_a_mark_that_means_no_byte_is_refused_with_what_would(text: str) -> None:
    with pytest.raises(SettingError, match="two hex digits as <8A>"):
        read_bytes(text)
