// SPDX-License-Identifier: MIT
// The requests of conversions and the host's answers, as lines of text, recorded between module and host.

/**
 * Records every conversion of every module that is instantiated from now on. Uses nothing outside of itself, so that its text can be
 * inserted before the code of a worker.
 * @returns {{ take(): string[][], stop(): void }} take: the lines of each conversion since the last call
 */
export function recordRequests() {
  const KINDS = ['read', 'keep', 'plan', 'open', 'write', 'rewrite', 'close', 'discard', 'progress', 'message', 'done'];
  const IO = { input: 0, output: 8, outputLen: 12, offset: 112, request: 120, source: 124, length: 128, severity: 132 };
  const JSON_REPORT = 0;
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
    /** @param {number} instance @param {number} at */
    const field = (instance, at) => new DataView(exports.memory.buffer, instance).getUint32(at, true);
    /** @param {number} instance @param {number} at @param {number} length */
    const bytesAt = (instance, at, length) => new Uint8Array(exports.memory.buffer, field(instance, at), length);
    /** @param {number} instance */
    const output = (instance) => bytesAt(instance, IO.output, field(instance, IO.outputLen));
    /** @param {string} words */
    const addToLast = (words) => (list[list.length - 1] += words);

    /** @param {number} instance */
    function describe(instance) {
      const kind = KINDS[field(instance, IO.request)];
      const source = field(instance, IO.source);
      switch (kind) {
        case 'read': {
          const offset = new DataView(exports.memory.buffer, instance).getFloat64(IO.offset, true);
          return `read ${source} ${offset} ${field(instance, IO.length)}`;
        }
        case 'keep':
          return `keep ${source} of ${summary(output(instance))}`;
        case 'write':
        case 'rewrite':
          return `${kind} ${summary(output(instance))}`;
        case 'message':
          return `message ${field(instance, IO.severity)} ${source} ${new TextDecoder().decode(output(instance))}`;
        case 'close':
        case 'done':
          return `${kind} ${exports.tkw_conversion_exit_code(instance)}`;
        default:
          return kind;
      }
    }

    return {
      ...exports,
      /** @param {number} instance */
      tkw_conversion_new(instance) {
        list = [];
        lists.push(list);
        return exports.tkw_conversion_new(instance);
      },
      /** @param {number} instance */
      tkw_conversion_next(instance) {
        const status = exports.tkw_conversion_next(instance);
        const line = describe(instance);
        if (line && line !== 'progress') list.push(line);
        return status;
      },
      /** @param {number} instance @param {number} length */
      tkw_conversion_answer(instance, length) {
        addToLast(`: answer ${summary(bytesAt(instance, IO.input, length))}`);
        return exports.tkw_conversion_answer(instance, length);
      },
      /** @param {number} instance @param {number} length */
      tkw_conversion_fail(instance, length) {
        addToLast(`: fail ${new TextDecoder().decode(bytesAt(instance, IO.input, length))}`);
        return exports.tkw_conversion_fail(instance, length);
      },
      /** @param {number} instance @param {number} what */
      tkw_report(instance, what) {
        const status = exports.tkw_report(instance, what);
        if (what === JSON_REPORT) list.push(`report ${summary(output(instance))}`);
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
