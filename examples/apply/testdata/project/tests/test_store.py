from shelf.store import Book, Store


def test_add(tmp_path):
    store = Store(tmp_path / "shelf.json")
    store.add(Book("Austerlitz"))
    again = Store(tmp_path / "shelf.json")
    again.load()
    assert [b.title for b in again.books] == ["Austerlitz"]


def test_done(tmp_path):
    store = Store(tmp_path / "shelf.json")
    store.add(Book("Austerlitz"))
    store.done(1)
    assert store.books[0].read
