import unittest, sys, io
class T(unittest.TestCase):
    def setUp(self): self.x = [1, 2]
    def test_len(self): self.assertEqual(len(self.x), 2)
    def test_raises(self):
        with self.assertRaises(ZeroDivisionError): 1 / 0
    @unittest.skip("later")
    def test_skip(self): self.fail()
    def test_sub(self):
        for i in range(3):
            with self.subTest(i=i): self.assertTrue(i < 3)
r = unittest.TextTestRunner(stream=io.StringIO()).run(unittest.defaultTestLoader.loadTestsFromTestCase(T)); print(r.testsRun, len(r.failures), len(r.skipped), r.wasSuccessful())
