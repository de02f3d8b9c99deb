"""Run in this folder: python3 -m unittest"""
import unittest

from text import Count, CountInput, count
from toolfleet_host import ToolError


class TextTest(unittest.TestCase):
    def test_words_and_characters_are_counted(self):
        self.assertEqual(Count(words=4, characters=19), count(None, CountInput(" the quick brown fox ")))

    def test_a_blank_text_is_refused_with_advice(self):
        with self.assertRaises(ToolError) as refusal:
            count(None, CountInput(" "))
        self.assertEqual("E_NO_TEXT", refusal.exception.code)
