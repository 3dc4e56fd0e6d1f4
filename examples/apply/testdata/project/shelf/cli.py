"""The command line."""

import argparse

from shelf.store import Book, Store


def show(store, unread):
    for number, book in enumerate(store.books, 1):
        if unread and book.read:
            continue
        mark = "x" if book.read else " "
        print(f"{number:3} [{mark}] {book.title}")


def main(argv=None):
    parser = argparse.ArgumentParser(prog="shelf")
    parser.add_argument("--file", default="shelf.json")
    commands = parser.add_subparsers(dest="command", required=True)

    add = commands.add_parser("add")
    add.add_argument("title")
    add.add_argument("--author")

    listing = commands.add_parser("list")
    listing.add_argument("--unread", action="store_true")

    done = commands.add_parser("done")
    done.add_argument("number", type=int)

    args = parser.parse_args(argv)
    store = Store(args.file)
    store.load()
    if args.command == "add":
        store.add(Book(args.title, args.author))
    elif args.command == "list":
        show(store, args.unread)
    elif args.command == "done":
        store.done(args.number)
    return 0
