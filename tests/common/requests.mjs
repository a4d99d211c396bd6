// SPDX-License-Identifier: MIT
// The requests of conversions and the host's answers, as lines of text, recorded between module and host.

/**
 * Records every conversion of every module that is instantiated from now on. Uses nothing outside of itself, so that its text can be
 * inserted before the code of a worker.
 * @returns {{ take(): string[][], stop(): void }} take: the lines of each conversion since the last call
 */
export function recordRequests() {
  const KINDS = ['read', 'keep', 'plan', 'open', 'write', 'rewrite', 'close', 'discard', 'progress', 'message', 'done'];
  // Offsets in struct tk_request and struct output.
  const REQUEST = { kind: 0, source: 4, severity: 16, offset: 24, length: 32, bytes: 36, text: 40 };
  const OUTPUT = { bytes: 0, length: 4 };
  const table = Uint32Array.from({ length: 256 }, (_, byte) => {
    for (let bit = 0; bit < 8; bit++) byte = (byte >>> 1) ^ (byte & 1 ? 0xedb88320 : 0);
    return byte;
  });
  /** @type {string[][]} */
  let lists = [];

  /** @param {Uint8Array} bytes */
  function summary(bytes) {
    let crc = ~0;
    for (const byte of bytes) crc = (crc >>> 8) ^ /** @type {number} */ (table[(crc ^ byte) & 255]);
    return `${bytes.length} ${(~crc >>> 0).toString(16).padStart(8, '0')}`;
  }

  /** @param {any} exports */
  function recorded(exports) {
    /** @type {string[]} */
    let list = [];
    const view = () => new DataView(exports.memory.buffer);
    /** @param {number} at */
    const number = (at) => view().getUint32(at, true);
    /** @param {number} address @param {number} length */
    const bytesAt = (address, length) => new Uint8Array(exports.memory.buffer, address, length);
    /** @param {number} address */
    function textAt(address) {
      const bytes = bytesAt(address, exports.memory.buffer.byteLength - address);
      return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
    }
    /** @param {string} words */
    const addToLast = (words) => (list[list.length - 1] += words);

    /** @param {number} conversion @param {number} request */
    function describe(conversion, request) {
      const kind = KINDS[number(request + REQUEST.kind)];
      const source = number(request + REQUEST.source),
        length = number(request + REQUEST.length),
        bytes = () => bytesAt(number(request + REQUEST.bytes), length);
      switch (kind) {
        case 'read':
          return `read ${source} ${view().getBigUint64(request + REQUEST.offset, true)} ${length}`;
        case 'keep':
          return `keep ${source} of ${summary(bytes())}`;
        case 'write':
        case 'rewrite':
          return `${kind} ${summary(bytes())}`;
        case 'message':
          return `message ${number(request + REQUEST.severity)} ${source} ${textAt(number(request + REQUEST.text))}`;
        case 'close':
        case 'done':
          return `${kind} ${exports.tk_conversion_exit_code(conversion)}`;
        default:
          return kind;
      }
    }

    return {
      ...exports,
      /** @param {number[]} args */
      tk_conversion_new(...args) {
        list = [];
        lists.push(list);
        return exports.tk_conversion_new(...args);
      },
      /** @param {number} conversion */
      tk_conversion_next(conversion) {
        const request = exports.tk_conversion_next(conversion);
        const line = describe(conversion, request);
        if (line && line !== 'progress') list.push(line);
        return request;
      },
      /** @param {number} conversion @param {number} bytes @param {number} length @param {bigint} ns */
      tk_conversion_answer(conversion, bytes, length, ns) {
        addToLast(`: answer ${summary(bytesAt(bytes, length))}`);
        return exports.tk_conversion_answer(conversion, bytes, length, ns);
      },
      /** @param {number} conversion @param {number} reason */
      tk_conversion_fail(conversion, reason) {
        addToLast(`: fail ${textAt(reason)}`);
        return exports.tk_conversion_fail(conversion, reason);
      },
      /** @param {number} handle @param {number} write @param {number} output */
      tk_report_json(handle, write, output) {
        const status = exports.tk_report_json(handle, write, output);
        list.push(`report ${summary(bytesAt(number(output + OUTPUT.bytes), number(output + OUTPUT.length)))}`);
        return status;
      },
    };
  }

  const { instantiate } = WebAssembly;
  Object.assign(WebAssembly, {
    /** @param {WebAssembly.Module} module @param {WebAssembly.Imports} imports */
    instantiate: async (module, imports) => {
      const { exports } = await instantiate.call(WebAssembly, module, imports);
      return { exports: recorded(exports) };
    },
  });
  return {
    take() {
      const taken = lists;
      lists = [];
      return taken;
    },
    stop: () => void Object.assign(WebAssembly, { instantiate }),
  };
}
