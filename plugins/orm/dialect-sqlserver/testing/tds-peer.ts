import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** What a peer answers to one statement. */
export type TdsAnswer =
  | { readonly columns: readonly string[]; readonly rows: readonly (readonly (number | string | null)[])[] }
  | { readonly affected: number }
  | { readonly error: number; readonly message: string; readonly rollsBack?: boolean };

/** A statement as it came over the wire. */
export interface TdsStatement {
  readonly kind: 'batch' | 'rpc';
  readonly sql: string;
  /** Types of the parameters as the client declared them. */
  readonly declared: string;
  readonly parameters: readonly unknown[];
}

const PACKET = { batch: 0x01, rpc: 0x03, answer: 0x04, attention: 0x06, login: 0x10, prelogin: 0x12 };
const HEADER = 8;
const u8 = (value: number) => Buffer.from([value]);
const u16 = (value: number) => Buffer.from(new Uint16Array([value]).buffer);
const u32 = (value: number) => Buffer.from(new Uint32Array([value]).buffer);
const u64 = (value: number) => Buffer.from(new BigUint64Array([BigInt(value)]).buffer);
const ucs2 = (text: string) => Buffer.from(text, 'utf16le');
const short = (text: string) => Buffer.concat([u8(text.length), ucs2(text)]);
const NOTHING = Buffer.alloc(0);
const COLLATION = Buffer.from('0904d00034', 'hex');
const sized = (token: number, ...parts: readonly Buffer[]) => {
  const body = Buffer.concat(parts);
  return Buffer.concat([u8(token), u16(body.length), body]);
};

/**
 * The server's side of the tabular data stream, as far as one client needs it, without encryption
 * (https://learn.microsoft.com/openspecs/windows_protocols/ms-tds). What it answers is given; what it was sent is kept.
 */
export class TdsPeer {
  readonly seen: TdsStatement[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  private constructor(private readonly answer: (statement: TdsStatement) => TdsAnswer) {
    this.#server = createServer((socket) => this.#serve(socket));
  }

  /** Listens on a free port of this machine. */
  static async listen(answer: (statement: TdsStatement) => TdsAnswer): Promise<TdsPeer> {
    const peer = new TdsPeer(answer);
    await new Promise<void>((resolve) => peer.#server.listen(0, '127.0.0.1', resolve));
    return peer;
  }

  get url(): string {
    return `sqlserver://sa:secret@127.0.0.1:${(this.#server.address() as AddressInfo).port}/shop`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    let waiting = Buffer.alloc(0);
    let message = Buffer.alloc(0);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('data', (data) => {
      waiting = Buffer.concat([waiting, data]);
      while (waiting.length >= HEADER && waiting.length >= waiting.readUInt16BE(2)) {
        const length = waiting.readUInt16BE(2);
        const [type, status] = [waiting.readUInt8(0), waiting.readUInt8(1)];
        message = Buffer.concat([message, waiting.subarray(HEADER, length)]);
        waiting = waiting.subarray(length);
        if ((status & 1) === 0) continue;
        socket.write(packet(this.#reply(type, message)));
        message = Buffer.alloc(0);
      }
    });
  }

  #reply(type: number, message: Buffer): Buffer {
    if (type === PACKET.prelogin) return prelogin();
    if (type === PACKET.login) return Buffer.concat([loginAck(), done(0xfd, 0, 0)]);
    if (type === PACKET.attention) return done(0xfd, 0x20, 0);
    const statement = type === PACKET.rpc ? rpc(message) : batch(message);
    // What the client sets right after login is not the test's.
    if (/^\s*set (ansi|text|quoted|concat|cursor|implicit|date)/i.test(statement.sql)) return done(0xfd, 0, 0);
    this.seen.push(statement);
    const reply = answered(this.answer(statement), statement.kind);
    const [, change] = /^(?:IF @@TRANCOUNT > 0 )?(BEGIN|COMMIT|ROLLBACK) TRANSACTION$/.exec(statement.sql) ?? [];
    return change ? Buffer.concat([transactionChange(change.toLowerCase() as TransactionChange), reply]) : reply;
  }
}

function packet(body: Buffer): Buffer {
  const header = Buffer.from([PACKET.answer, 1, 0, 0, 0, 0, 1, 0]);
  header.writeUInt16BE(HEADER + body.length, 2);
  return Buffer.concat([header, body]);
}

// Two options, VERSION and ENCRYPTION (2: not supported), their values behind the list.
function prelogin(): Buffer {
  const list = Buffer.from([0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xff]);
  return Buffer.concat([list, Buffer.from([16, 0, 0, 0, 0, 0]), u8(2)]);
}

const loginAck = () => sized(0xad, u8(1), Buffer.from('74000004', 'hex'), short('peer'), Buffer.from([16, 0, 0, 0]));
const done = (token: number, status: number, rows: number) => {
  return Buffer.concat([u8(token), u16(status), u16(0), u64(rows)]);
};

function answered(answer: TdsAnswer, kind: TdsStatement['kind']): Buffer {
  const [inner, end] = kind === 'rpc' ? [0xff, 0xfe] : [0xfd, 0xfd];
  const failed = 'error' in answer;
  const rows = 'affected' in answer ? answer.affected : 'rows' in answer ? answer.rows.length : 0;
  const last = kind === 'rpc' ? [u8(0x79), u32(0), done(end, failed ? 2 : 0, 0)] : [];
  const body = failed
    ? Buffer.concat([
        errorToken(answer.error, answer.message),
        answer.rollsBack ? transactionChange('rollback') : NOTHING,
      ])
    : 'rows' in answer
      ? rowTokens(answer)
      : NOTHING;
  const more = last.length > 0 ? 1 : 0;
  return Buffer.concat([body, done(inner, more | (failed ? 2 : 0x10), rows), ...last]);
}

const TRANSACTION_CHANGES = { begin: 8, commit: 9, rollback: 10 };
type TransactionChange = keyof typeof TRANSACTION_CHANGES;

// ENVCHANGE with the number of the transaction that begins, or has ended.
function transactionChange(change: TransactionChange): Buffer {
  const [made, gone] = change === 'begin' ? [u64(1), NOTHING] : [NOTHING, u64(1)];
  return sized(0xe3, u8(TRANSACTION_CHANGES[change]), u8(made.length), made, u8(gone.length), gone);
}

function errorToken(number: number, message: string): Buffer {
  const text = Buffer.concat([u16(message.length), ucs2(message)]);
  return sized(0xaa, u32(number), u8(1), u8(14), text, short('peer'), short(''), u32(1));
}

function rowTokens({ columns, rows }: Extract<TdsAnswer, { readonly rows: unknown }>): Buffer {
  const numeric = columns.map((_, at) => rows.some((row) => typeof row[at] === 'number'));
  const types = columns.map((name, at) => {
    const type = numeric[at] ? [u8(0x26), u8(4)] : [u8(0xe7), u16(8000), COLLATION];
    return Buffer.concat([u32(0), u16(1), ...type, short(name)]);
  });
  const cell = (value: number | string | null, at: number) => {
    if (value === null) return numeric[at] ? u8(0) : u16(0xffff);
    return typeof value === 'number'
      ? Buffer.concat([u8(4), u32(value)])
      : Buffer.concat([u16(value.length * 2), ucs2(value)]);
  };
  const lines = rows.map((row) => Buffer.concat([u8(0xd1), ...row.map(cell)]));
  return Buffer.concat([u8(0x81), u16(columns.length), ...types, ...lines]);
}

function batch(message: Buffer): TdsStatement {
  const sql = message.subarray(message.readUInt32LE(0)).toString('utf16le');
  return { kind: 'batch', sql, declared: '', parameters: [] };
}

/** sp_executesql: the statement, the declarations, then the values. */
function rpc(message: Buffer): TdsStatement {
  const reader = new Reader(message, message.readUInt32LE(0));
  // 0xffff and the number of the procedure, or its name; then two bytes of options.
  const name = reader.u16();
  reader.skip(name === 0xffff ? 2 : name * 2);
  reader.skip(2);
  const values: unknown[] = [];
  while (!reader.atEnd) values.push(reader.parameter());
  const [sql, declared = '', ...parameters] = values;
  return { kind: 'rpc', sql: String(sql), declared: String(declared), parameters };
}

class Reader {
  constructor(
    private readonly data: Buffer,
    private at: number,
  ) {}

  get atEnd(): boolean {
    return this.at >= this.data.length;
  }

  skip(count: number): void {
    this.at += count;
  }

  u8(): number {
    return this.data.readUInt8(this.at++);
  }

  u16(): number {
    return this.take(2).readUInt16LE(0);
  }

  take(count: number): Buffer {
    this.at += count;
    return this.data.subarray(this.at - count, this.at);
  }

  /** Name, status, type and value of one parameter. */
  parameter(): unknown {
    this.skip(this.u8() * 2 + 1);
    const type = this.u8();
    if (type === 0xe7 || type === 0xa5) return this.#text(type);
    // DATETIME2 carries its scale, the others their size.
    this.skip(1);
    const value = this.take(this.u8());
    if (value.length === 0) return null;
    if (type === 0x26) return value.length === 8 ? value.readBigInt64LE(0) : value.readIntLE(0, value.length);
    if (type === 0x68) return value[0] === 1;
    return type === 0x6d ? value.readDoubleLE(0) : value;
  }

  #text(type: number): unknown {
    const most = this.u16();
    if (type === 0xe7) this.skip(COLLATION.length);
    const value = most === 0xffff ? this.#chunks() : this.#plain();
    return value && type === 0xe7 ? value.toString('utf16le') : value;
  }

  #plain(): Buffer | null {
    const length = this.u16();
    return length === 0xffff ? null : this.take(length);
  }

  #chunks(): Buffer | null {
    if (this.take(8).readBigUInt64LE(0) === 0xffffffffffffffffn) return null;
    const chunks: Buffer[] = [];
    for (let size = this.take(4).readUInt32LE(0); size > 0; size = this.take(4).readUInt32LE(0))
      chunks.push(this.take(size));
    return Buffer.concat(chunks);
  }
}
