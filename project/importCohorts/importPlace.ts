/** Why a cohort has no counterpart in the query language, and where in it. */
export class ImportError extends Error {
  override readonly name = 'ImportError';

  constructor(
    readonly path: string,
    readonly reason: string,
  ) {
    super(`${path || '(root)'}: ${reason}`);
  }
}

/** How text is compared, and what the reader should know of how the cohort was read. */
export interface Reading {
  readonly exactCase: boolean;
  readonly warnings: string[];
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * A value inside a cohort that is being read, which knows where it is. The methods of a place throw
 * {@link ImportError}.
 */
export class Place {
  constructor(
    readonly value: unknown,
    readonly reading: Reading,
    readonly path = '',
  ) {}

  fail(reason: string): never {
    throw new ImportError(this.path, reason);
  }

  warn(what: string): void {
    this.reading.warnings.push(`${this.path}: ${what}`);
  }

  /** The own field of an object. */
  at(key: string): Place {
    const fields = this.fields();
    return this.child(key, Object.hasOwn(fields, key) ? fields[key] : undefined);
  }

  has(key: string): boolean {
    const { value } = this.at(key);
    return value !== undefined && value !== null;
  }

  /** The keys of an object. Another key than these is an error, so that nothing unknown is dropped silently. */
  only(...known: readonly string[]): this {
    const other = Object.keys(this.fields()).find((key) => !known.includes(key));
    return other === undefined ? this : this.child(other, undefined).fail('not supported');
  }

  /** The one entry of an object. */
  single(what: string): readonly [key: string, place: Place] {
    const [key, ...others] = Object.keys(this.fields());
    return key === undefined || others.length > 0 ? this.fail(`expected ${what} with one key`) : [key, this.at(key)];
  }

  items(): readonly Place[] {
    if (!Array.isArray(this.value) || this.value.length === 0) return this.fail('expected a list that is not empty');
    return this.value.map((item: unknown, i) => this.child(String(i), item));
  }

  /** The elements of a list, or the value itself. */
  oneOrMore(): readonly Place[] {
    return Array.isArray(this.value) ? this.items() : [this];
  }

  text(): string {
    return typeof this.value === 'string' && this.value !== ''
      ? this.value
      : this.fail('expected a text that is not empty');
  }

  number(): number {
    return typeof this.value === 'number' && Number.isFinite(this.value) ? this.value : this.fail('expected a number');
  }

  scalar(): string | number {
    return typeof this.value === 'number' ? this.number() : this.text();
  }

  /** A cohort, a segment or a query: numbers in text and as numbers are the same. */
  id(): string {
    return String(this.scalar());
  }

  private fields(): Fields {
    return typeof this.value === 'object' && this.value !== null && !Array.isArray(this.value)
      ? (this.value as Fields)
      : this.fail('expected an object');
  }

  private child(key: string, value: unknown): Place {
    return new Place(value, this.reading, this.path === '' ? key : `${this.path}/${key}`);
  }
}
