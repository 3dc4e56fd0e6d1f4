// A link has everything that the reader has entered in its fragment, compressed: no server sees it.

const version = "v1.";

// encode returns the fragment for an input.
export async function encode(input) {
  const packed = await pipe(new TextEncoder().encode(JSON.stringify(input)), new CompressionStream("deflate-raw"));
  let binary = "";
  for (const byte of packed) binary += String.fromCharCode(byte);
  return "#" + version + btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

// decode returns the input of a fragment, and null if it has none.
export async function decode(fragment) {
  if (!fragment.startsWith("#" + version)) return null;
  const coded = fragment.slice(version.length + 1).replaceAll("-", "+").replaceAll("_", "/");
  try {
    const packed = Uint8Array.from(atob(coded), (c) => c.charCodeAt(0));
    const input = JSON.parse(new TextDecoder().decode(await pipe(packed, new DecompressionStream("deflate-raw"))));
    const whole = Array.isArray(input.files) && input.files.every((f) => isText(f.path) && isText(f.text) && (f.read === undefined || isText(f.read)));
    return whole && isText(input.request) ? input : null;
  } catch {
    return null;
  }
}

const isText = (v) => typeof v === "string";

async function pipe(bytes, transform) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(transform)).arrayBuffer());
}
