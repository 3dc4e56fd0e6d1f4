"""The file that the books are kept in."""

import json
import os


class Book:
    def __init__(self, title, author=None, read=False):
        self.title = title
        self.author = author
        self.read = read

    def as_dict(self):
        return {
            "title": self.title,
            "author": self.author,
            "read": self.read,
        }


class Store:
    def __init__(self, path):
        self.path = path
        self.books = []

    def load(self):
        if not os.path.exists(self.path):
            return
        with open(self.path) as f:
            self.books = [Book(**b) for b in json.load(f)]

    def save(self):
        with open(self.path, "w") as f:
            json.dump([b.as_dict() for b in self.books], f)

    def add(self, book):
        self.books.append(book)
        self.save()

    def done(self, number):
        self.books[number - 1].read = True
        self.save()
