// The part of the language's standard library that receiver chains run through:
// what a member gives, in the fewest words. No overloads: one signature stands
// for all of them. `__elem`, `__index`, `__await` say what iterating, indexing
// and awaiting a value gives.

// ---- values everything has ------------------------------------------------------------

interface Object {
  constructor: Function;
  toString(): string;
  toLocaleString(): string;
  valueOf(): Object;
  hasOwnProperty(key: any): boolean;
  isPrototypeOf(value: any): boolean;
  propertyIsEnumerable(key: any): boolean;
}

interface ObjectConstructor {
  new (value?: any): Object;
  prototype: Object;
  assign<T>(target: T, ...sources: any[]): T;
  create(prototype: any, properties?: any): any;
  defineProperty<T>(target: T, key: any, descriptor: PropertyDescriptor): T;
  defineProperties<T>(target: T, properties: any): T;
  entries<T>(value: Record<string, T>): [string, T][];
  freeze<T>(value: T): T;
  fromEntries<T>(entries: [string, T][]): Record<string, T>;
  getOwnPropertyDescriptor(value: any, key: any): PropertyDescriptor;
  getOwnPropertyDescriptors(value: any): Record<string, PropertyDescriptor>;
  getOwnPropertyNames(value: any): string[];
  getOwnPropertySymbols(value: any): symbol[];
  getPrototypeOf(value: any): any;
  groupBy<K, T>(items: T[], key: (item: T, index: number) => K): Record<string, T[]>;
  hasOwn(value: any, key: any): boolean;
  is(a: any, b: any): boolean;
  isExtensible(value: any): boolean;
  isFrozen(value: any): boolean;
  isSealed(value: any): boolean;
  keys(value: any): string[];
  preventExtensions<T>(value: T): T;
  seal<T>(value: T): T;
  setPrototypeOf<T>(value: T, prototype: any): T;
  values<T>(value: Record<string, T>): T[];
}
declare var Object: ObjectConstructor;

interface PropertyDescriptor {
  configurable?: boolean;
  enumerable?: boolean;
  writable?: boolean;
  value?: any;
  get?(): any;
  set?(value: any): void;
}
interface TypedPropertyDescriptor<T> extends PropertyDescriptor {
  value?: T;
}
type PropertyKey = string;

declare class Function {
  constructor(...code: string[]);
  name: string;
  length: number;
  prototype: any;
  caller: Function;
  apply(receiver: any, args?: any): any;
  call(receiver: any, ...args: any[]): any;
  bind(receiver: any, ...args: any[]): any;
  toString(): string;
}
interface CallableFunction extends Function {}
interface NewableFunction extends Function {}
interface IArguments {
  __elem(): any;
  __index(): any;
  length: number;
  callee: Function;
}

interface Boolean {
  valueOf(): boolean;
  toString(): string;
}
interface BooleanConstructor {
  (value?: any): boolean;
  new (value?: any): Boolean;
  prototype: Boolean;
}
declare var Boolean: BooleanConstructor;

interface Symbol {
  readonly description: string;
  toString(): string;
  valueOf(): symbol;
}
interface SymbolConstructor {
  (value?: any): symbol;
  prototype: Symbol;
  readonly iterator: symbol;
  readonly asyncIterator: symbol;
  readonly hasInstance: symbol;
  readonly toPrimitive: symbol;
  readonly toStringTag: symbol;
  readonly species: symbol;
  readonly unscopables: symbol;
  readonly dispose: symbol;
  readonly asyncDispose: symbol;
  readonly metadata: symbol;
  for(key: string): symbol;
  keyFor(symbol: symbol): string;
}
declare var Symbol: SymbolConstructor;

interface Number {
  toExponential(digits?: number): string;
  toFixed(digits?: number): string;
  toLocaleString(locales?: any, options?: any): string;
  toPrecision(digits?: number): string;
  toString(radix?: number): string;
  valueOf(): number;
}
interface NumberConstructor {
  (value?: any): number;
  new (value?: any): Number;
  prototype: Number;
  readonly EPSILON: number;
  readonly MAX_SAFE_INTEGER: number;
  readonly MIN_SAFE_INTEGER: number;
  readonly MAX_VALUE: number;
  readonly MIN_VALUE: number;
  readonly NaN: number;
  readonly NEGATIVE_INFINITY: number;
  readonly POSITIVE_INFINITY: number;
  isFinite(value: any): boolean;
  isInteger(value: any): boolean;
  isNaN(value: any): boolean;
  isSafeInteger(value: any): boolean;
  parseFloat(text: string): number;
  parseInt(text: string, radix?: number): number;
}
declare var Number: NumberConstructor;

interface BigInt {
  toString(radix?: number): string;
  toLocaleString(locales?: any, options?: any): string;
  valueOf(): bigint;
}
interface BigIntConstructor {
  (value?: any): bigint;
  prototype: BigInt;
  asIntN(bits: number, value: bigint): bigint;
  asUintN(bits: number, value: bigint): bigint;
}
declare var BigInt: BigIntConstructor;

interface String {
  __elem(): string;
  __index(): string;
  readonly length: number;
  anchor(name: string): string;
  at(index: number): string;
  charAt(index: number): string;
  charCodeAt(index: number): number;
  codePointAt(index: number): number;
  concat(...parts: any[]): string;
  endsWith(part: string, end?: number): boolean;
  includes(part: string, from?: number): boolean;
  indexOf(part: string, from?: number): number;
  isWellFormed(): boolean;
  lastIndexOf(part: string, from?: number): number;
  localeCompare(other: string, locales?: any, options?: any): number;
  match(pattern: any): RegExpMatchArray;
  matchAll(pattern: any): IterableIterator<RegExpExecArray>;
  normalize(form?: string): string;
  padEnd(length: number, fill?: string): string;
  padStart(length: number, fill?: string): string;
  repeat(count: number): string;
  replace(pattern: any, replacement: (match: string, ...groups: string[]) => string): string;
  replaceAll(pattern: any, replacement: (match: string, ...groups: string[]) => string): string;
  search(pattern: any): number;
  slice(start?: number, end?: number): string;
  split(separator?: any, limit?: number): string[];
  startsWith(part: string, from?: number): boolean;
  substr(start: number, length?: number): string;
  substring(start: number, end?: number): string;
  toLocaleLowerCase(locales?: any): string;
  toLocaleUpperCase(locales?: any): string;
  toLowerCase(): string;
  toString(): string;
  toUpperCase(): string;
  toWellFormed(): string;
  trim(): string;
  trimEnd(): string;
  trimLeft(): string;
  trimRight(): string;
  trimStart(): string;
  valueOf(): string;
}
interface StringConstructor {
  (value?: any): string;
  new (value?: any): String;
  prototype: String;
  fromCharCode(...codes: number[]): string;
  fromCodePoint(...codes: number[]): string;
  raw(strings: any, ...values: any[]): string;
}
declare var String: StringConstructor;

declare class TemplateStringsArray extends Array<string> {
  readonly raw: string[];
}

// ---- collections ----------------------------------------------------------------------

declare class Array<T> {
  constructor(...items: any[]);
  static from<T>(items: T[], map?: any, receiver?: any): T[];
  static fromAsync<T>(items: T[], map?: any): Promise<T[]>;
  static isArray(value: any): boolean;
  static of<T>(...items: T[]): T[];
  __elem(): T;
  __index(): T;
  length: number;
  at(index: number): T;
  concat(...items: any[]): T[];
  copyWithin(target: number, start: number, end?: number): T[];
  entries(): IterableIterator<[number, T]>;
  every(test: (value: T, index: number, array: T[]) => unknown, receiver?: any): boolean;
  fill(value: T, start?: number, end?: number): T[];
  filter(test: (value: T, index: number, array: T[]) => unknown, receiver?: any): T[];
  find(test: (value: T, index: number, array: T[]) => unknown, receiver?: any): T;
  findIndex(test: (value: T, index: number, array: T[]) => unknown, receiver?: any): number;
  findLast(test: (value: T, index: number, array: T[]) => unknown, receiver?: any): T;
  findLastIndex(test: (value: T, index: number, array: T[]) => unknown, receiver?: any): number;
  flat(depth?: number): T;
  flatMap<U>(map: (value: T, index: number, array: T[]) => U[], receiver?: any): U[];
  forEach(visit: (value: T, index: number, array: T[]) => void, receiver?: any): void;
  includes(value: T, from?: number): boolean;
  indexOf(value: T, from?: number): number;
  join(separator?: string): string;
  keys(): IterableIterator<number>;
  lastIndexOf(value: T, from?: number): number;
  map<U>(map: (value: T, index: number, array: T[]) => U, receiver?: any): U[];
  pop(): T;
  push(...items: T[]): number;
  reduce<U>(step: (before: U, value: T, index: number, array: T[]) => U, first?: U): U;
  reduceRight<U>(step: (before: U, value: T, index: number, array: T[]) => U, first?: U): U;
  reverse(): T[];
  shift(): T;
  slice(start?: number, end?: number): T[];
  some(test: (value: T, index: number, array: T[]) => unknown, receiver?: any): boolean;
  sort(compare?: (a: T, b: T) => number): T[];
  splice(start: number, count?: number, ...items: T[]): T[];
  toLocaleString(): string;
  toReversed(): T[];
  toSorted(compare?: (a: T, b: T) => number): T[];
  toSpliced(start: number, count?: number, ...items: T[]): T[];
  toString(): string;
  unshift(...items: T[]): number;
  values(): IterableIterator<T>;
  with(index: number, value: T): T[];
}
interface ReadonlyArray<T> extends Array<T> {}
interface ConcatArray<T> extends Array<T> {}
interface ArrayLike<T> {
  readonly length: number;
  __elem(): T;
  __index(): T;
}

declare class Map<K, V> {
  constructor(entries?: [K, V][]);
  static groupBy<K, T>(items: T[], key: (item: T, index: number) => K): Map<K, T[]>;
  __elem(): [K, V];
  readonly size: number;
  clear(): void;
  delete(key: K): boolean;
  entries(): IterableIterator<[K, V]>;
  forEach(visit: (value: V, key: K, map: Map<K, V>) => void, receiver?: any): void;
  get(key: K): V;
  getOrInsert(key: K, value: V): V;
  getOrInsertComputed(key: K, make: (key: K) => V): V;
  has(key: K): boolean;
  keys(): IterableIterator<K>;
  set(key: K, value: V): this;
  values(): IterableIterator<V>;
}
interface ReadonlyMap<K, V> extends Map<K, V> {}

declare class WeakMap<K, V> {
  constructor(entries?: [K, V][]);
  delete(key: K): boolean;
  get(key: K): V;
  has(key: K): boolean;
  set(key: K, value: V): this;
}

declare class Set<T> {
  constructor(values?: T[]);
  __elem(): T;
  readonly size: number;
  add(value: T): this;
  clear(): void;
  delete(value: T): boolean;
  difference(other: Set<T>): Set<T>;
  entries(): IterableIterator<[T, T]>;
  forEach(visit: (value: T, again: T, set: Set<T>) => void, receiver?: any): void;
  has(value: T): boolean;
  intersection(other: Set<T>): Set<T>;
  isDisjointFrom(other: Set<T>): boolean;
  isSubsetOf(other: Set<T>): boolean;
  isSupersetOf(other: Set<T>): boolean;
  keys(): IterableIterator<T>;
  symmetricDifference(other: Set<T>): Set<T>;
  union(other: Set<T>): Set<T>;
  values(): IterableIterator<T>;
}
interface ReadonlySet<T> extends Set<T> {}

declare class WeakSet<T> {
  constructor(values?: T[]);
  add(value: T): this;
  delete(value: T): boolean;
  has(value: T): boolean;
}

declare class WeakRef<T> {
  constructor(target: T);
  deref(): T;
}
declare class FinalizationRegistry<T> {
  constructor(cleanup: (held: T) => void);
  register(target: any, held: T, token?: any): void;
  unregister(token: any): boolean;
}

// ---- iteration ------------------------------------------------------------------------

interface IteratorResult<T, R = any> {
  done?: boolean;
  value: T;
}
interface IteratorYieldResult<T> extends IteratorResult<T> {}
interface IteratorReturnResult<T> extends IteratorResult<T> {}
interface Iterable<T, R = any, N = any> {
  __elem(): T;
  [Symbol.iterator](): Iterator<T>;
}
declare class Iterator<T, R = any, N = any> {
  static from<T>(items: T[]): IteratorObject<T>;
  next(value?: any): IteratorResult<T>;
  return(value?: any): IteratorResult<T>;
  throw(error?: any): IteratorResult<T>;
}
interface IteratorObject<T, R = any, N = any> extends Iterator<T> {
  __elem(): T;
  [Symbol.iterator](): Iterator<T>;
  drop(count: number): IteratorObject<T>;
  every(test: (value: T, index: number) => unknown): boolean;
  filter(test: (value: T, index: number) => unknown): IteratorObject<T>;
  find(test: (value: T, index: number) => unknown): T;
  flatMap<U>(map: (value: T, index: number) => U[]): IteratorObject<U>;
  forEach(visit: (value: T, index: number) => void): void;
  map<U>(map: (value: T, index: number) => U): IteratorObject<U>;
  reduce<U>(step: (before: U, value: T, index: number) => U, first?: U): U;
  some(test: (value: T, index: number) => unknown): boolean;
  take(count: number): IteratorObject<T>;
  toArray(): T[];
}
interface IterableIterator<T, R = any, N = any> extends IteratorObject<T> {}
interface ArrayIterator<T> extends IteratorObject<T> {}
interface MapIterator<T> extends IteratorObject<T> {}
interface SetIterator<T> extends IteratorObject<T> {}
interface StringIterator<T> extends IteratorObject<T> {}
interface Generator<T = unknown, R = any, N = any> extends IteratorObject<T> {}
interface GeneratorFunction extends Function {}
interface AsyncIterable<T, R = any, N = any> {
  __elem(): Promise<T>;
  [Symbol.asyncIterator](): AsyncIterator<T>;
}
interface AsyncIterator<T, R = any, N = any> {
  next(value?: any): Promise<IteratorResult<T>>;
  return(value?: any): Promise<IteratorResult<T>>;
  throw(error?: any): Promise<IteratorResult<T>>;
}
interface AsyncIterableIterator<T, R = any, N = any> extends AsyncIterator<T> {
  __elem(): Promise<T>;
}
interface AsyncGenerator<T = unknown, R = any, N = any> extends AsyncIterableIterator<T> {}
interface AsyncGeneratorFunction extends Function {}

// ---- promises -------------------------------------------------------------------------

declare class Promise<T> {
  constructor(start: (resolve: (value?: T) => void, reject: (reason?: any) => void) => void);
  static all<T>(values: Promise<T>[]): Promise<T[]>;
  static allSettled<T>(values: Promise<T>[]): Promise<PromiseSettledResult<T>[]>;
  static any<T>(values: Promise<T>[]): Promise<T>;
  static race<T>(values: Promise<T>[]): Promise<T>;
  static reject(reason?: any): Promise<any>;
  static resolve<T>(value?: T): Promise<T>;
  static try<T>(run: () => T): Promise<T>;
  static withResolvers<T>(): PromiseWithResolvers<T>;
  __await(): T;
  catch(recover?: (reason: any) => any): Promise<T>;
  finally(always?: () => void): Promise<T>;
  then<U>(next?: (value: T) => U, recover?: (reason: any) => any): Promise<U>;
}
interface PromiseLike<T> {
  __await(): T;
  then<U>(next?: (value: T) => U, recover?: (reason: any) => any): PromiseLike<U>;
}
interface PromiseConstructor {}
interface PromiseConstructorLike {}
interface PromiseWithResolvers<T> {
  promise: Promise<T>;
  resolve(value?: T): void;
  reject(reason?: any): void;
}
interface PromiseSettledResult<T> {
  status: string;
  value: T;
  reason: any;
}
interface PromiseFulfilledResult<T> extends PromiseSettledResult<T> {}
interface PromiseRejectedResult extends PromiseSettledResult<any> {}
interface Disposable {
  [Symbol.dispose](): void;
}
interface AsyncDisposable {
  [Symbol.asyncDispose](): Promise<void>;
}

// ---- text, time, numbers --------------------------------------------------------------

declare class RegExp {
  constructor(pattern: any, flags?: string);
  static escape(text: string): string;
  readonly flags: string;
  readonly global: boolean;
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly source: string;
  readonly sticky: boolean;
  readonly unicode: boolean;
  lastIndex: number;
  compile(pattern: string, flags?: string): this;
  exec(text: string): RegExpExecArray;
  test(text: string): boolean;
  toString(): string;
}
declare class RegExpMatchArray extends Array<string> {
  index: number;
  input: string;
  groups: Record<string, string>;
  indices: any;
}
declare class RegExpExecArray extends RegExpMatchArray {}

declare class Date {
  constructor(...parts: any[]);
  static UTC(...parts: number[]): number;
  static now(): number;
  static parse(text: string): number;
  getDate(): number;
  getDay(): number;
  getFullYear(): number;
  getHours(): number;
  getMilliseconds(): number;
  getMinutes(): number;
  getMonth(): number;
  getSeconds(): number;
  getTime(): number;
  getTimezoneOffset(): number;
  getUTCDate(): number;
  getUTCDay(): number;
  getUTCFullYear(): number;
  getUTCHours(): number;
  getUTCMilliseconds(): number;
  getUTCMinutes(): number;
  getUTCMonth(): number;
  getUTCSeconds(): number;
  setDate(value: number): number;
  setFullYear(year: number, month?: number, date?: number): number;
  setHours(...parts: number[]): number;
  setMilliseconds(value: number): number;
  setMinutes(...parts: number[]): number;
  setMonth(month: number, date?: number): number;
  setSeconds(...parts: number[]): number;
  setTime(value: number): number;
  setUTCDate(value: number): number;
  setUTCFullYear(year: number, month?: number, date?: number): number;
  setUTCHours(...parts: number[]): number;
  setUTCMilliseconds(value: number): number;
  setUTCMinutes(...parts: number[]): number;
  setUTCMonth(month: number, date?: number): number;
  setUTCSeconds(...parts: number[]): number;
  toDateString(): string;
  toISOString(): string;
  toJSON(key?: any): string;
  toLocaleDateString(locales?: any, options?: any): string;
  toLocaleString(locales?: any, options?: any): string;
  toLocaleTimeString(locales?: any, options?: any): string;
  toString(): string;
  toTimeString(): string;
  toUTCString(): string;
  valueOf(): number;
}

interface Math {
  readonly E: number;
  readonly LN10: number;
  readonly LN2: number;
  readonly LOG10E: number;
  readonly LOG2E: number;
  readonly PI: number;
  readonly SQRT1_2: number;
  readonly SQRT2: number;
  abs(x: number): number;
  acos(x: number): number;
  acosh(x: number): number;
  asin(x: number): number;
  asinh(x: number): number;
  atan(x: number): number;
  atan2(y: number, x: number): number;
  atanh(x: number): number;
  cbrt(x: number): number;
  ceil(x: number): number;
  clz32(x: number): number;
  cos(x: number): number;
  cosh(x: number): number;
  exp(x: number): number;
  expm1(x: number): number;
  floor(x: number): number;
  fround(x: number): number;
  hypot(...values: number[]): number;
  imul(a: number, b: number): number;
  log(x: number): number;
  log10(x: number): number;
  log1p(x: number): number;
  log2(x: number): number;
  max(...values: number[]): number;
  min(...values: number[]): number;
  pow(x: number, y: number): number;
  random(): number;
  round(x: number): number;
  sign(x: number): number;
  sin(x: number): number;
  sinh(x: number): number;
  sqrt(x: number): number;
  tan(x: number): number;
  tanh(x: number): number;
  trunc(x: number): number;
}
declare var Math: Math;

interface JSON {
  parse(text: string, revive?: (key: string, value: any) => any): any;
  stringify(value: any, replace?: any, space?: any): string;
}
declare var JSON: JSON;

interface Reflect {
  apply(target: any, receiver: any, args: any): any;
  construct(target: any, args: any, made?: any): any;
  defineProperty(target: any, key: any, descriptor: PropertyDescriptor): boolean;
  deleteProperty(target: any, key: any): boolean;
  get(target: any, key: any, receiver?: any): any;
  getOwnPropertyDescriptor(target: any, key: any): PropertyDescriptor;
  getPrototypeOf(target: any): any;
  has(target: any, key: any): boolean;
  isExtensible(target: any): boolean;
  ownKeys(target: any): string[];
  preventExtensions(target: any): boolean;
  set(target: any, key: any, value: any, receiver?: any): boolean;
  setPrototypeOf(target: any, prototype: any): boolean;
}
declare var Reflect: Reflect;

declare class Proxy<T> {
  constructor(target: T, handler: ProxyHandler<T>);
  static revocable(target: any, handler: any): any;
}
interface ProxyHandler<T> {
  apply?(target: T, receiver: any, args: any[]): any;
  get?(target: T, key: any, receiver: any): any;
  has?(target: T, key: any): boolean;
  set?(target: T, key: any, value: any, receiver: any): boolean;
}

interface Atomics {
  add(array: any, index: number, value: any): any;
  load(array: any, index: number): any;
  notify(array: any, index: number, count?: number): number;
  store(array: any, index: number, value: any): any;
  wait(array: any, index: number, value: any, timeout?: number): string;
}
declare var Atomics: Atomics;

// ---- errors ---------------------------------------------------------------------------

declare class Error {
  constructor(message?: string, options?: ErrorOptions);
  static captureStackTrace(target: any, from?: any): void;
  static stackTraceLimit: number;
  static isError(value: any): boolean;
  name: string;
  message: string;
  stack: string;
  cause: unknown;
  toString(): string;
}
interface ErrorOptions {
  cause?: unknown;
}
declare class AggregateError extends Error {
  constructor(errors: any, message?: string);
  errors: any[];
}
declare class EvalError extends Error {}
declare class RangeError extends Error {}
declare class ReferenceError extends Error {}
declare class SuppressedError extends Error {}
declare class SyntaxError extends Error {}
declare class TypeError extends Error {}
declare class URIError extends Error {}

// ---- bytes ----------------------------------------------------------------------------

declare class ArrayBuffer {
  constructor(length: number, options?: any);
  static isView(value: any): boolean;
  readonly byteLength: number;
  resize(length: number): void;
  slice(start?: number, end?: number): ArrayBuffer;
  transfer(length?: number): ArrayBuffer;
}
declare class SharedArrayBuffer extends ArrayBuffer {}
type ArrayBufferLike = ArrayBuffer;
interface ArrayBufferView {
  readonly buffer: ArrayBuffer;
  readonly byteLength: number;
  readonly byteOffset: number;
}
declare class DataView {
  constructor(buffer: ArrayBuffer, offset?: number, length?: number);
  readonly buffer: ArrayBuffer;
  readonly byteLength: number;
  readonly byteOffset: number;
  getBigInt64(offset: number, little?: boolean): bigint;
  getBigUint64(offset: number, little?: boolean): bigint;
  getFloat32(offset: number, little?: boolean): number;
  getFloat64(offset: number, little?: boolean): number;
  getInt16(offset: number, little?: boolean): number;
  getInt32(offset: number, little?: boolean): number;
  getInt8(offset: number): number;
  getUint16(offset: number, little?: boolean): number;
  getUint32(offset: number, little?: boolean): number;
  getUint8(offset: number): number;
  setBigInt64(offset: number, value: bigint, little?: boolean): void;
  setBigUint64(offset: number, value: bigint, little?: boolean): void;
  setFloat32(offset: number, value: number, little?: boolean): void;
  setFloat64(offset: number, value: number, little?: boolean): void;
  setInt16(offset: number, value: number, little?: boolean): void;
  setInt32(offset: number, value: number, little?: boolean): void;
  setInt8(offset: number, value: number): void;
  setUint16(offset: number, value: number, little?: boolean): void;
  setUint32(offset: number, value: number, little?: boolean): void;
  setUint8(offset: number, value: number): void;
}
/** What all typed arrays share. */
declare class __TypedArray<N> extends Array<N> {
  static readonly BYTES_PER_ELEMENT: number;
  readonly BYTES_PER_ELEMENT: number;
  readonly buffer: ArrayBuffer;
  readonly byteLength: number;
  readonly byteOffset: number;
  filter(test: (value: N, index: number, array: this) => unknown): this;
  map(map: (value: N, index: number, array: this) => N): this;
  reverse(): this;
  set(values: any, offset?: number): void;
  slice(start?: number, end?: number): this;
  sort(compare?: (a: N, b: N) => number): this;
  subarray(start?: number, end?: number): this;
  toBase64(options?: any): string;
  toHex(): string;
}
declare class Int8Array extends __TypedArray<number> {}
declare class Uint8Array extends __TypedArray<number> {
  static fromBase64(text: string, options?: any): Uint8Array;
  static fromHex(text: string): Uint8Array;
}
declare class Uint8ClampedArray extends __TypedArray<number> {}
declare class Int16Array extends __TypedArray<number> {}
declare class Uint16Array extends __TypedArray<number> {}
declare class Int32Array extends __TypedArray<number> {}
declare class Uint32Array extends __TypedArray<number> {}
declare class Float32Array extends __TypedArray<number> {}
declare class Float64Array extends __TypedArray<number> {}
declare class BigInt64Array extends __TypedArray<bigint> {}
declare class BigUint64Array extends __TypedArray<bigint> {}

// ---- functions of the global object ---------------------------------------------------

declare function decodeURI(text: string): string;
declare function decodeURIComponent(text: string): string;
declare function encodeURI(text: string): string;
declare function encodeURIComponent(text: any): string;
declare function escape(text: string): string;
declare function isFinite(value: any): boolean;
declare function isNaN(value: any): boolean;
declare function parseFloat(text: any): number;
declare function parseInt(text: any, radix?: number): number;
declare function unescape(text: string): string;
declare var Infinity: number;
declare var NaN: number;
declare var globalThis: any;

declare namespace Intl {
  class DateTimeFormat {
    constructor(locales?: any, options?: any);
    format(date?: any): string;
    formatRange(start: any, end: any): string;
    formatToParts(date?: any): any[];
    resolvedOptions(): any;
  }
  class NumberFormat {
    constructor(locales?: any, options?: any);
    format(value: any): string;
    formatToParts(value?: any): any[];
    resolvedOptions(): any;
  }
  class Collator {
    constructor(locales?: any, options?: any);
    compare(a: string, b: string): number;
    resolvedOptions(): any;
  }
  class PluralRules {
    constructor(locales?: any, options?: any);
    select(value: number): string;
  }
  class RelativeTimeFormat {
    constructor(locales?: any, options?: any);
    format(value: number, unit: string): string;
  }
  class ListFormat {
    constructor(locales?: any, options?: any);
    format(list: any): string;
  }
  class Segmenter {
    constructor(locales?: any, options?: any);
    segment(text: string): any;
  }
  class DisplayNames {
    constructor(locales?: any, options?: any);
    of(code: string): string;
  }
  function getCanonicalLocales(locales?: any): string[];
}

// ---- types that give back what they are given -----------------------------------------

type Partial<T> = T;
type Required<T> = T;
type Readonly<T> = T;
type Pick<T, K> = T;
type Omit<T, K> = T;
type Exclude<T, U> = T;
type Extract<T, U> = T;
type NonNullable<T> = T;
type NoInfer<T> = T;
type Uppercase<S> = string;
type Lowercase<S> = string;
type Capitalize<S> = string;
type Uncapitalize<S> = string;
interface Record<K, V> {
  __index(): V;
}
interface ThisType<T> {}

// What depends on a type by a condition is known to exist and read by no rule.
type ReturnType<T> = T extends () => infer R ? R : never;
type Parameters<T> = T extends () => infer R ? R : never;
type ConstructorParameters<T> = T extends () => infer R ? R : never;
type InstanceType<T> = T extends () => infer R ? R : never;
type ThisParameterType<T> = T extends () => infer R ? R : never;
type OmitThisParameter<T> = T extends () => infer R ? R : never;
type Awaited<T> = T extends () => infer R ? R : never;
