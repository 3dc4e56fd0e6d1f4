// Examples, in the order of the page. Each has the outcome that the tests expect.

const cart = `package shop

// Net returns the price of a cart without tax.
func Net(c Cart) int {
	total := 0
	for _, item := range c.Items {
		total += item.Price * item.Count
	}
	return total
}

// Gross returns the price of a cart with tax.
func Gross(c Cart) int {
	total := 0
	for _, item := range c.Items {
		total += (item.Price + item.Tax) * item.Count
	}
	return total
}
`;

const retry = `import time


class Client:
    def __init__(self, transport, attempts=3):
        self.transport = transport
        self.attempts = attempts

    def fetch(self, url):
        for attempt in range(self.attempts):
            try:
                return self.transport.get(url)
            except ConnectionError:
                time.sleep(1)
        raise TimeoutError(url)
`;

const guide = `# Installing

Run "make install" as the user who owns the directory.
Don't use sudo: the files would belong to root.

## Upgrading

Stop the server, run "make install" again, and start it.
`;

const server = `import { readConfig } from "./config.js";

export function listen(app) {
  const config = readConfig();
  app.listen(config.port);
}
`;

const config = `export function readConfig() {
  return {
    port: 8080,
    host: "localhost",
  };
}
`;

// file is a file as it is now and, if it has changed since, as the model read it.
const file = (path, text, read) => ({ path, text, read });

export const examples = [
  {
    name: "block",
    title: "A clean block",
    outcome: "done",
    files: [file("shop/cart.go", cart)],
    request: `I'll let Net skip items that are out of stock.

shop/cart.go
<<<<<<< SEARCH
	for _, item := range c.Items {
		total += item.Price * item.Count
	}
=======
	for _, item := range c.Items {
		if item.InStock {
			total += item.Price * item.Count
		}
	}
>>>>>>> REPLACE
`,
  },
  {
    name: "indentation",
    title: "Indentation off",
    outcome: "done",
    files: [file("client.py", retry)],
    request: `client.py
<<<<<<< SEARCH
try:
  return self.transport.get(url)
except ConnectionError:
  time.sleep(1)
=======
try:
  return self.transport.get(url)
except ConnectionError:
  if attempt + 1 < self.attempts:
    time.sleep(2 ** attempt)
>>>>>>> REPLACE
`,
  },
  {
    name: "quotes",
    title: "Typographic quotes",
    outcome: "done",
    files: [file("INSTALL.md", guide)],
    request: `INSTALL.md
<<<<<<< SEARCH
Run “make install” as the user who owns the directory.
Don’t use sudo: the files would belong to root.
=======
Run “make install” as the user who owns the directory.
Don’t use sudo: the files would belong to root.
Set PREFIX to install somewhere else.
>>>>>>> REPLACE
`,
  },
  {
    name: "v4a",
    title: "V4A patch, two files",
    outcome: "done",
    files: [file("src/server.js", server), file("src/config.js", config)],
    request: `*** Begin Patch
*** Update File: src/server.js
@@ export function listen(app) {
   const config = readConfig();
-  app.listen(config.port);
+  app.listen(config.port, config.host);
 }
*** Update File: src/config.js
@@ export function readConfig() {
-    port: 8080,
+    port: Number(process.env.PORT ?? 8080),
     host: "localhost",
*** End Patch
`,
  },
  {
    name: "json",
    title: "JSON tool call",
    outcome: "done",
    files: [file("client.py", retry)],
    request: `{
  "file_path": "client.py",
  "edits": [
    {
      "old_string": "attempts=3",
      "new_string": "attempts=5"
    },
    {
      "old_string": "time.sleep(1)",
      "new_string": "time.sleep(2 ** attempt)"
    }
  ]
}
`,
  },
  {
    name: "numbers",
    title: "Diff with wrong line numbers",
    outcome: "done",
    files: [file("shop/cart.go", cart)],
    request: `--- a/shop/cart.go
+++ b/shop/cart.go
@@ -40,6 +40,7 @@ func Gross(c Cart) int {
 	for _, item := range c.Items {
 		total += (item.Price + item.Tax) * item.Count
 	}
-	return total
+	return total - c.Discount
 }
`,
  },
  {
    name: "ambiguous",
    title: "Fits in two places",
    outcome: "refused",
    files: [file("shop/cart.go", cart)],
    request: `shop/cart.go
<<<<<<< SEARCH
	total := 0
	for _, item := range c.Items {
=======
	total := c.Shipping
	for _, item := range c.Items {
>>>>>>> REPLACE
`,
  },
  {
    name: "missing",
    title: "Not in the file",
    outcome: "refused",
    files: [file("shop/cart.go", cart)],
    request: `shop/cart.go
<<<<<<< SEARCH
	for _, line := range c.Lines {
		total += line.Price * line.Quantity
	}
	return total
=======
	for _, line := range c.Lines {
		total += line.Price * line.Quantity
	}
	return round(total)
>>>>>>> REPLACE
`,
  },
  {
    name: "applied",
    title: "Already applied",
    outcome: "refused",
    files: [file("client.py", retry.replace("time.sleep(1)", "time.sleep(2 ** attempt)"))],
    request: `client.py
<<<<<<< SEARCH
                time.sleep(1)
=======
                time.sleep(2 ** attempt)
>>>>>>> REPLACE
`,
  },
  {
    name: "one-of-two",
    title: "One of two edits fails",
    outcome: "refused",
    files: [file("src/server.js", server), file("src/config.js", config)],
    request: `*** Begin Patch
*** Update File: src/server.js
@@ export function listen(app) {
-  app.listen(config.port);
+  app.listen(config.port, config.host);
*** Update File: src/config.js
@@ export function loadConfig() {
-    port: 8080,
+    port: Number(process.env.PORT ?? 8080),
*** End Patch
`,
  },
  {
    name: "carried",
    title: "Elsewhere: the edit is carried over",
    outcome: "done",
    files: [file("client.py", retry.replace("attempts=3", "attempts=5, timeout=10").replace("        self.attempts = attempts\n", "        self.attempts = attempts\n        self.timeout = timeout\n"), retry)],
    request: `client.py
<<<<<<< SEARCH
            except ConnectionError:
                time.sleep(1)
=======
            except ConnectionError:
                time.sleep(2 ** attempt)
>>>>>>> REPLACE
`,
  },
  {
    name: "stale",
    title: "In the same line: refused",
    outcome: "refused",
    files: [file("client.py", retry.replace("time.sleep(1)", "time.sleep(self.pause)"), retry)],
    request: `client.py
<<<<<<< SEARCH
            except ConnectionError:
                time.sleep(1)
=======
            except ConnectionError:
                time.sleep(2 ** attempt)
>>>>>>> REPLACE
`,
  },
];
