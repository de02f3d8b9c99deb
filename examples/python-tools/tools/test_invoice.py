"""Tests of the handlers alone. Run in this folder: python3 -m unittest"""
import types
import unittest

import invoice
from toolfleet_host import ToolError


class InvoiceTest(unittest.TestCase):
    def test_a_discount_lowers_the_total(self):
        order = invoice.Invoice("Ada", [invoice.Line("Tea", 2.5, 4)], discount=0.1)
        context = types.SimpleNamespace(config={"currency": "EUR"})
        self.assertEqual({"customer": "Ada", "amount": 9.0, "currency": "EUR"}, invoice.total(context, order))

    def test_lines_are_read(self):
        self.assertEqual(invoice.Line("Tea", 2.5, 3), invoice.parse(None, {"text": "3 x Tea at 2.50"}))

    def test_other_texts_are_refused_with_advice(self):
        with self.assertRaises(ToolError) as refusal:
            invoice.parse(None, {"text": "some tea"})
        self.assertEqual("E_NO_INVOICE_LINE", refusal.exception.code)


if __name__ == "__main__":
    unittest.main()
