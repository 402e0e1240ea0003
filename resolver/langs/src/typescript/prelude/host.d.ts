// What browsers and Node.js put into the global scope, as far as programs chain on it.

// ---- console, timers, tasks -----------------------------------------------------------

interface Console {
  assert(condition?: any, ...data: any[]): void;
  clear(): void;
  count(label?: string): void;
  countReset(label?: string): void;
  debug(...data: any[]): void;
  dir(value?: any, options?: any): void;
  dirxml(...data: any[]): void;
  error(...data: any[]): void;
  group(...data: any[]): void;
  groupCollapsed(...data: any[]): void;
  groupEnd(): void;
  info(...data: any[]): void;
  log(...data: any[]): void;
  table(data?: any, columns?: any): void;
  time(label?: string): void;
  timeEnd(label?: string): void;
  timeLog(label?: string, ...data: any[]): void;
  trace(...data: any[]): void;
  warn(...data: any[]): void;
}
declare var console: Console;

interface __Timeout {
  close(): this;
  hasRef(): boolean;
  ref(): this;
  refresh(): this;
  unref(): this;
}
declare function setTimeout(run: (...args: any[]) => void, wait?: number, ...args: any[]): __Timeout;
declare function setInterval(run: (...args: any[]) => void, wait?: number, ...args: any[]): __Timeout;
declare function setImmediate(run: (...args: any[]) => void, ...args: any[]): __Timeout;
declare function clearTimeout(id?: any): void;
declare function clearInterval(id?: any): void;
declare function clearImmediate(id?: any): void;
declare function queueMicrotask(run: () => void): void;
declare function structuredClone<T>(value: T, options?: any): T;
declare function requestAnimationFrame(run: (time: number) => void): number;
declare function cancelAnimationFrame(id: number): void;
declare function requestIdleCallback(run: (deadline: any) => void, options?: any): number;
declare function cancelIdleCallback(id: number): void;
declare function atob(text: string): string;
declare function btoa(text: string): string;
declare function alert(message?: any): void;
declare function confirm(message?: string): boolean;
declare function prompt(message?: string, first?: string): string;
declare function reportError(error: any): void;
declare function getComputedStyle(element: Element, pseudo?: string): CSSStyleDeclaration;
declare function matchMedia(query: string): MediaQueryList;
declare function importScripts(...urls: string[]): void;
declare function postMessage(message: any, ...rest: any[]): void;

// ---- events ---------------------------------------------------------------------------

declare class EventTarget {
  addEventListener(type: string, listener: (event: Event) => void, options?: any): void;
  dispatchEvent(event: Event): boolean;
  removeEventListener(type: string, listener: (event: Event) => void, options?: any): void;
}
declare function addEventListener(type: string, listener: (event: Event) => void, options?: any): void;
declare function removeEventListener(type: string, listener: (event: Event) => void, options?: any): void;
declare function dispatchEvent(event: Event): boolean;

declare class Event {
  constructor(type: string, options?: any);
  readonly bubbles: boolean;
  readonly cancelable: boolean;
  readonly currentTarget: HTMLElement;
  readonly defaultPrevented: boolean;
  readonly target: HTMLElement;
  readonly timeStamp: number;
  readonly type: string;
  composedPath(): EventTarget[];
  preventDefault(): void;
  stopImmediatePropagation(): void;
  stopPropagation(): void;
}
declare class CustomEvent<T> extends Event {
  readonly detail: T;
}
declare class UIEvent extends Event {
  readonly detail: number;
  readonly view: Window;
}
declare class MouseEvent extends UIEvent {
  readonly altKey: boolean;
  readonly button: number;
  readonly buttons: number;
  readonly clientX: number;
  readonly clientY: number;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly offsetX: number;
  readonly offsetY: number;
  readonly pageX: number;
  readonly pageY: number;
  readonly relatedTarget: HTMLElement;
  readonly screenX: number;
  readonly screenY: number;
  readonly shiftKey: boolean;
  getModifierState(key: string): boolean;
}
declare class PointerEvent extends MouseEvent {
  readonly pointerId: number;
  readonly pointerType: string;
}
declare class WheelEvent extends MouseEvent {
  readonly deltaX: number;
  readonly deltaY: number;
}
declare class DragEvent extends MouseEvent {
  readonly dataTransfer: DataTransfer;
}
declare class KeyboardEvent extends UIEvent {
  readonly altKey: boolean;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly isComposing: boolean;
  readonly key: string;
  readonly keyCode: number;
  readonly metaKey: boolean;
  readonly repeat: boolean;
  readonly shiftKey: boolean;
  getModifierState(key: string): boolean;
}
declare class FocusEvent extends UIEvent {
  readonly relatedTarget: HTMLElement;
}
declare class InputEvent extends UIEvent {
  readonly data: string;
  readonly inputType: string;
}
declare class TouchEvent extends UIEvent {
  readonly changedTouches: Touch[];
  readonly targetTouches: Touch[];
  readonly touches: Touch[];
}
interface Touch {
  readonly clientX: number;
  readonly clientY: number;
  readonly identifier: number;
  readonly target: HTMLElement;
}
declare class ClipboardEvent extends Event {
  readonly clipboardData: DataTransfer;
}
declare class MessageEvent<T> extends Event {
  readonly data: T;
  readonly origin: string;
  readonly ports: MessagePort[];
  readonly source: any;
}
declare class ErrorEvent extends Event {
  readonly error: any;
  readonly message: string;
}
declare class PromiseRejectionEvent extends Event {
  readonly reason: any;
}
declare class ProgressEvent extends Event {
  readonly loaded: number;
  readonly total: number;
}
declare class SubmitEvent extends Event {
  readonly submitter: HTMLElement;
}
declare class StorageEvent extends Event {
  readonly key: string;
  readonly newValue: string;
  readonly oldValue: string;
}
interface DataTransfer {
  dropEffect: string;
  effectAllowed: string;
  readonly files: File[];
  readonly items: any;
  readonly types: string[];
  clearData(format?: string): void;
  getData(format: string): string;
  setData(format: string, data: string): void;
  setDragImage(image: Element, x: number, y: number): void;
}

declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: any): void;
}
declare class AbortSignal extends EventTarget {
  static abort(reason?: any): AbortSignal;
  static any(signals: AbortSignal[]): AbortSignal;
  static timeout(milliseconds: number): AbortSignal;
  readonly aborted: boolean;
  readonly reason: any;
  throwIfAborted(): void;
}

// ---- the document ---------------------------------------------------------------------

declare class Node extends EventTarget {
  static readonly ELEMENT_NODE: number;
  static readonly TEXT_NODE: number;
  readonly childNodes: NodeListOf<Node>;
  readonly firstChild: Node;
  readonly isConnected: boolean;
  readonly lastChild: Node;
  readonly nextSibling: Node;
  readonly nodeName: string;
  readonly nodeType: number;
  nodeValue: string;
  readonly ownerDocument: Document;
  readonly parentElement: HTMLElement;
  readonly parentNode: Node;
  readonly previousSibling: Node;
  textContent: string;
  appendChild<T>(child: T): T;
  cloneNode(deep?: boolean): Node;
  compareDocumentPosition(other: Node): number;
  contains(other: any): boolean;
  getRootNode(options?: any): Node;
  hasChildNodes(): boolean;
  insertBefore<T>(child: T, before: any): T;
  isEqualNode(other: Node): boolean;
  isSameNode(other: Node): boolean;
  normalize(): void;
  removeChild<T>(child: T): T;
  replaceChild<T>(child: any, old: T): T;
}
declare class CharacterData extends Node {
  data: string;
  readonly length: number;
}
declare class Text extends CharacterData {}
declare class Comment extends CharacterData {}
interface NodeListOf<T> {
  __elem(): T;
  __index(): T;
  readonly length: number;
  entries(): IterableIterator<[number, T]>;
  forEach(visit: (value: T, index: number) => void): void;
  item(index: number): T;
  keys(): IterableIterator<number>;
  values(): IterableIterator<T>;
}
declare class NodeList {
  __elem(): Node;
  __index(): Node;
  readonly length: number;
  forEach(visit: (value: Node, index: number) => void): void;
  item(index: number): Node;
}
interface HTMLCollectionOf<T> {
  __elem(): T;
  __index(): T;
  readonly length: number;
  item(index: number): T;
  namedItem(name: string): T;
}
declare class HTMLCollection {
  __elem(): Element;
  __index(): Element;
  readonly length: number;
  item(index: number): Element;
}
declare class DOMTokenList {
  __elem(): string;
  __index(): string;
  readonly length: number;
  value: string;
  add(...tokens: string[]): void;
  contains(token: string): boolean;
  forEach(visit: (token: string, index: number) => void): void;
  item(index: number): string;
  remove(...tokens: string[]): void;
  replace(token: string, other: string): boolean;
  toggle(token: string, force?: boolean): boolean;
}
declare class DOMRect {
  readonly bottom: number;
  height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  width: number;
  x: number;
  y: number;
  toJSON(): any;
}
declare class CSSStyleDeclaration {
  __index(): string;
  cssText: string;
  readonly length: number;
  getPropertyPriority(name: string): string;
  getPropertyValue(name: string): string;
  item(index: number): string;
  removeProperty(name: string): string;
  setProperty(name: string, value: string, priority?: string): void;
}
interface DOMStringMap {
  __index(): string;
}
interface NamedNodeMap {
  __elem(): Attr;
  __index(): Attr;
  readonly length: number;
  getNamedItem(name: string): Attr;
}
interface Attr extends Node {
  readonly name: string;
  value: string;
}

declare class Element extends Node {
  readonly attributes: NamedNodeMap;
  readonly childElementCount: number;
  readonly children: HTMLCollectionOf<HTMLElement>;
  readonly classList: DOMTokenList;
  className: string;
  readonly clientHeight: number;
  readonly clientLeft: number;
  readonly clientTop: number;
  readonly clientWidth: number;
  readonly firstElementChild: HTMLElement;
  id: string;
  innerHTML: string;
  readonly lastElementChild: HTMLElement;
  readonly localName: string;
  readonly nextElementSibling: HTMLElement;
  outerHTML: string;
  readonly previousElementSibling: HTMLElement;
  readonly scrollHeight: number;
  scrollLeft: number;
  scrollTop: number;
  readonly scrollWidth: number;
  readonly shadowRoot: ShadowRoot;
  slot: string;
  readonly tagName: string;
  after(...nodes: any[]): void;
  animate(frames: any, options?: any): Animation;
  append(...nodes: any[]): void;
  attachShadow(options: any): ShadowRoot;
  before(...nodes: any[]): void;
  closest(selector: string): HTMLElement;
  getAnimations(options?: any): Animation[];
  getAttribute(name: string): string;
  getAttributeNames(): string[];
  getAttributeNS(space: string, name: string): string;
  getBoundingClientRect(): DOMRect;
  getClientRects(): DOMRect[];
  getElementsByClassName(names: string): HTMLCollectionOf<HTMLElement>;
  getElementsByTagName(name: string): HTMLCollectionOf<HTMLElement>;
  hasAttribute(name: string): boolean;
  hasPointerCapture(id: number): boolean;
  insertAdjacentElement(where: string, element: Element): Element;
  insertAdjacentHTML(where: string, text: string): void;
  insertAdjacentText(where: string, text: string): void;
  matches(selector: string): boolean;
  prepend(...nodes: any[]): void;
  querySelector(selector: string): HTMLElement;
  querySelectorAll(selector: string): NodeListOf<HTMLElement>;
  releasePointerCapture(id: number): void;
  remove(): void;
  removeAttribute(name: string): void;
  replaceChildren(...nodes: any[]): void;
  replaceWith(...nodes: any[]): void;
  requestFullscreen(options?: any): Promise<void>;
  scroll(...args: any[]): void;
  scrollBy(...args: any[]): void;
  scrollIntoView(options?: any): void;
  scrollTo(...args: any[]): void;
  setAttribute(name: string, value: string): void;
  setAttributeNS(space: string, name: string, value: string): void;
  setPointerCapture(id: number): void;
  toggleAttribute(name: string, force?: boolean): boolean;
}
declare class HTMLElement extends Element {
  contentEditable: string;
  readonly dataset: DOMStringMap;
  dir: string;
  draggable: boolean;
  hidden: boolean;
  innerText: string;
  readonly isContentEditable: boolean;
  lang: string;
  readonly offsetHeight: number;
  readonly offsetLeft: number;
  readonly offsetParent: HTMLElement;
  readonly offsetTop: number;
  readonly offsetWidth: number;
  readonly style: CSSStyleDeclaration;
  tabIndex: number;
  title: string;
  blur(): void;
  click(): void;
  focus(options?: any): void;
  hidePopover(): void;
  showPopover(): void;
  togglePopover(force?: boolean): boolean;
}
declare class SVGElement extends Element {
  readonly style: CSSStyleDeclaration;
  readonly ownerSVGElement: SVGElement;
  getBBox(options?: any): DOMRect;
  blur(): void;
  focus(options?: any): void;
}
declare class SVGSVGElement extends SVGElement {}
declare class SVGPathElement extends SVGElement {
  getPointAtLength(at: number): any;
  getTotalLength(): number;
}
/** What elements that hold a value of a form share. */
interface __FormControl {
  disabled: boolean;
  readonly form: HTMLFormElement;
  readonly labels: NodeListOf<HTMLElement>;
  name: string;
  required: boolean;
  readonly validity: any;
  value: string;
  checkValidity(): boolean;
  reportValidity(): boolean;
  setCustomValidity(message: string): void;
}
declare class HTMLInputElement extends HTMLElement implements __FormControl {
  checked: boolean;
  disabled: boolean;
  readonly files: File[];
  readonly form: HTMLFormElement;
  indeterminate: boolean;
  max: string;
  min: string;
  name: string;
  placeholder: string;
  readOnly: boolean;
  required: boolean;
  selectionEnd: number;
  selectionStart: number;
  type: string;
  readonly validity: any;
  value: string;
  valueAsNumber: number;
  checkValidity(): boolean;
  reportValidity(): boolean;
  select(): void;
  setCustomValidity(message: string): void;
  setRangeText(text: string, ...rest: any[]): void;
  setSelectionRange(start: number, end: number, direction?: string): void;
  showPicker(): void;
  stepDown(by?: number): void;
  stepUp(by?: number): void;
}
declare class HTMLTextAreaElement extends HTMLInputElement {
  rows: number;
  cols: number;
}
declare class HTMLSelectElement extends HTMLInputElement {
  multiple: boolean;
  readonly options: HTMLCollectionOf<HTMLOptionElement>;
  selectedIndex: number;
  readonly selectedOptions: HTMLCollectionOf<HTMLOptionElement>;
  add(option: any, before?: any): void;
}
declare class HTMLOptionElement extends HTMLElement {
  selected: boolean;
  text: string;
  value: string;
}
declare class HTMLButtonElement extends HTMLElement {
  disabled: boolean;
  readonly form: HTMLFormElement;
  name: string;
  type: string;
  value: string;
}
declare class HTMLFormElement extends HTMLElement {
  action: string;
  readonly elements: HTMLCollectionOf<HTMLInputElement>;
  method: string;
  checkValidity(): boolean;
  reportValidity(): boolean;
  requestSubmit(submitter?: any): void;
  reset(): void;
  submit(): void;
}
declare class HTMLAnchorElement extends HTMLElement {
  download: string;
  hash: string;
  host: string;
  href: string;
  pathname: string;
  rel: string;
  target: string;
}
declare class HTMLImageElement extends HTMLElement {
  alt: string;
  complete: boolean;
  height: number;
  readonly naturalHeight: number;
  readonly naturalWidth: number;
  src: string;
  width: number;
  decode(): Promise<void>;
}
declare class Image extends HTMLImageElement {}
declare class HTMLMediaElement extends HTMLElement {
  currentTime: number;
  readonly duration: number;
  muted: boolean;
  readonly paused: boolean;
  playbackRate: number;
  src: string;
  volume: number;
  load(): void;
  pause(): void;
  play(): Promise<void>;
}
declare class HTMLVideoElement extends HTMLMediaElement {
  height: number;
  readonly videoHeight: number;
  readonly videoWidth: number;
  width: number;
}
declare class HTMLAudioElement extends HTMLMediaElement {}
declare class Audio extends HTMLAudioElement {}
declare class HTMLCanvasElement extends HTMLElement {
  height: number;
  width: number;
  getContext(kind: string, options?: any): CanvasRenderingContext2D;
  toBlob(done: (blob: Blob) => void, type?: string, quality?: any): void;
  toDataURL(type?: string, quality?: any): string;
}
declare class CanvasRenderingContext2D {
  readonly canvas: HTMLCanvasElement;
  fillStyle: any;
  font: string;
  globalAlpha: number;
  lineWidth: number;
  strokeStyle: any;
  textAlign: string;
  arc(...args: any[]): void;
  beginPath(): void;
  bezierCurveTo(...args: number[]): void;
  clearRect(x: number, y: number, w: number, h: number): void;
  clip(...args: any[]): void;
  closePath(): void;
  createImageData(...args: any[]): ImageData;
  createLinearGradient(...args: number[]): CanvasGradient;
  createPattern(image: any, repetition: string): any;
  createRadialGradient(...args: number[]): CanvasGradient;
  drawImage(image: any, ...args: number[]): void;
  ellipse(...args: any[]): void;
  fill(...args: any[]): void;
  fillRect(x: number, y: number, w: number, h: number): void;
  fillText(text: string, x: number, y: number, width?: number): void;
  getImageData(x: number, y: number, w: number, h: number): ImageData;
  lineTo(x: number, y: number): void;
  measureText(text: string): TextMetrics;
  moveTo(x: number, y: number): void;
  putImageData(data: ImageData, x: number, y: number): void;
  quadraticCurveTo(...args: number[]): void;
  rect(x: number, y: number, w: number, h: number): void;
  restore(): void;
  rotate(angle: number): void;
  save(): void;
  scale(x: number, y: number): void;
  setLineDash(segments: number[]): void;
  setTransform(...args: any[]): void;
  stroke(...args: any[]): void;
  strokeRect(x: number, y: number, w: number, h: number): void;
  strokeText(text: string, x: number, y: number, width?: number): void;
  transform(...args: number[]): void;
  translate(x: number, y: number): void;
}
interface CanvasGradient {
  addColorStop(offset: number, color: string): void;
}
interface TextMetrics {
  readonly width: number;
}
interface ImageData {
  readonly data: Uint8ClampedArray;
  readonly height: number;
  readonly width: number;
}
declare class HTMLIFrameElement extends HTMLElement {
  readonly contentDocument: Document;
  readonly contentWindow: Window;
  src: string;
  srcdoc: string;
}
declare class HTMLScriptElement extends HTMLElement {
  async: boolean;
  defer: boolean;
  src: string;
  text: string;
  type: string;
}
declare class HTMLStyleElement extends HTMLElement {
  readonly sheet: any;
}
declare class HTMLLinkElement extends HTMLElement {
  as: string;
  href: string;
  rel: string;
}
declare class HTMLMetaElement extends HTMLElement {
  content: string;
  name: string;
}
declare class HTMLTemplateElement extends HTMLElement {
  readonly content: DocumentFragment;
}
declare class HTMLSlotElement extends HTMLElement {
  name: string;
  assignedElements(options?: any): HTMLElement[];
  assignedNodes(options?: any): Node[];
}
declare class HTMLDialogElement extends HTMLElement {
  open: boolean;
  returnValue: string;
  close(value?: string): void;
  show(): void;
  showModal(): void;
}
declare class HTMLDetailsElement extends HTMLElement {
  open: boolean;
}
declare class HTMLDivElement extends HTMLElement {}
declare class HTMLSpanElement extends HTMLElement {}
declare class HTMLParagraphElement extends HTMLElement {}
declare class HTMLHeadingElement extends HTMLElement {}
declare class HTMLLabelElement extends HTMLElement {
  readonly control: HTMLElement;
  htmlFor: string;
}
declare class HTMLFieldSetElement extends HTMLElement {
  disabled: boolean;
}
declare class HTMLUListElement extends HTMLElement {}
declare class HTMLOListElement extends HTMLElement {}
declare class HTMLLIElement extends HTMLElement {}
declare class HTMLPreElement extends HTMLElement {}
declare class HTMLBodyElement extends HTMLElement {}
declare class HTMLHeadElement extends HTMLElement {}
declare class HTMLHtmlElement extends HTMLElement {}
declare class HTMLTableElement extends HTMLElement {
  readonly rows: HTMLCollectionOf<HTMLTableRowElement>;
  insertRow(index?: number): HTMLTableRowElement;
  deleteRow(index: number): void;
}
declare class HTMLTableRowElement extends HTMLElement {
  readonly cells: HTMLCollectionOf<HTMLTableCellElement>;
  readonly rowIndex: number;
  insertCell(index?: number): HTMLTableCellElement;
}
declare class HTMLTableCellElement extends HTMLElement {
  readonly cellIndex: number;
}
declare class HTMLTableSectionElement extends HTMLElement {}
declare class DocumentFragment extends Node {
  readonly children: HTMLCollectionOf<HTMLElement>;
  readonly firstElementChild: HTMLElement;
  append(...nodes: any[]): void;
  getElementById(id: string): HTMLElement;
  prepend(...nodes: any[]): void;
  querySelector(selector: string): HTMLElement;
  querySelectorAll(selector: string): NodeListOf<HTMLElement>;
  replaceChildren(...nodes: any[]): void;
}
declare class ShadowRoot extends DocumentFragment {
  readonly activeElement: HTMLElement;
  adoptedStyleSheets: CSSStyleSheet[];
  readonly host: HTMLElement;
  innerHTML: string;
}
declare class CSSStyleSheet {
  insertRule(rule: string, index?: number): number;
  deleteRule(index: number): void;
  replaceSync(text: string): void;
}
declare class Document extends Node {
  readonly activeElement: HTMLElement;
  readonly body: HTMLElement;
  cookie: string;
  readonly defaultView: Window;
  readonly documentElement: HTMLElement;
  readonly fonts: any;
  readonly forms: HTMLCollectionOf<HTMLFormElement>;
  readonly fullscreenElement: HTMLElement;
  readonly head: HTMLElement;
  readonly hidden: boolean;
  readonly location: Location;
  readonly readyState: string;
  readonly referrer: string;
  readonly scrollingElement: HTMLElement;
  title: string;
  readonly URL: string;
  readonly visibilityState: string;
  adoptNode<T>(node: T): T;
  createComment(text: string): Comment;
  createDocumentFragment(): DocumentFragment;
  createElement(tag: string, options?: any): HTMLElement;
  createElementNS(space: string, tag: string): SVGElement;
  createEvent(kind: string): Event;
  createRange(): Range;
  createTextNode(text: string): Text;
  createTreeWalker(root: Node, ...rest: any[]): any;
  elementFromPoint(x: number, y: number): HTMLElement;
  elementsFromPoint(x: number, y: number): HTMLElement[];
  execCommand(command: string, ...rest: any[]): boolean;
  exitFullscreen(): Promise<void>;
  getElementById(id: string): HTMLElement;
  getElementsByClassName(names: string): HTMLCollectionOf<HTMLElement>;
  getElementsByName(name: string): NodeListOf<HTMLElement>;
  getElementsByTagName(name: string): HTMLCollectionOf<HTMLElement>;
  getSelection(): Selection;
  hasFocus(): boolean;
  importNode<T>(node: T, deep?: boolean): T;
  open(...args: any[]): Document;
  querySelector(selector: string): HTMLElement;
  querySelectorAll(selector: string): NodeListOf<HTMLElement>;
  startViewTransition(update?: () => any): any;
  write(...text: string[]): void;
}
declare var document: Document;
declare class Range {
  readonly collapsed: boolean;
  readonly endContainer: Node;
  readonly endOffset: number;
  readonly startContainer: Node;
  readonly startOffset: number;
  cloneContents(): DocumentFragment;
  cloneRange(): Range;
  collapse(toStart?: boolean): void;
  createContextualFragment(text: string): DocumentFragment;
  deleteContents(): void;
  getBoundingClientRect(): DOMRect;
  getClientRects(): DOMRect[];
  insertNode(node: Node): void;
  selectNode(node: Node): void;
  selectNodeContents(node: Node): void;
  setEnd(node: Node, offset: number): void;
  setStart(node: Node, offset: number): void;
}
interface Selection {
  readonly anchorNode: Node;
  readonly focusNode: Node;
  readonly isCollapsed: boolean;
  readonly rangeCount: number;
  addRange(range: Range): void;
  collapse(node: Node, offset?: number): void;
  getRangeAt(index: number): Range;
  removeAllRanges(): void;
  toString(): string;
}
declare class Animation extends EventTarget {
  currentTime: any;
  readonly finished: Promise<Animation>;
  playState: string;
  cancel(): void;
  finish(): void;
  pause(): void;
  play(): void;
}
declare class DOMParser {
  parseFromString(text: string, type: string): Document;
}
declare class XMLSerializer {
  serializeToString(node: Node): string;
}
declare class DOMException extends Error {
  readonly code: number;
}
declare class MutationObserver {
  constructor(seen: (records: MutationRecord[], observer: MutationObserver) => void);
  disconnect(): void;
  observe(target: Node, options?: any): void;
  takeRecords(): MutationRecord[];
}
interface MutationRecord {
  readonly addedNodes: NodeListOf<Node>;
  readonly attributeName: string;
  readonly removedNodes: NodeListOf<Node>;
  readonly target: Node;
  readonly type: string;
}
declare class IntersectionObserver {
  constructor(seen: (entries: IntersectionObserverEntry[], observer: IntersectionObserver) => void, options?: any);
  disconnect(): void;
  observe(target: Element): void;
  unobserve(target: Element): void;
}
interface IntersectionObserverEntry {
  readonly boundingClientRect: DOMRect;
  readonly intersectionRatio: number;
  readonly isIntersecting: boolean;
  readonly target: HTMLElement;
}
declare class ResizeObserver {
  constructor(seen: (entries: ResizeObserverEntry[], observer: ResizeObserver) => void);
  disconnect(): void;
  observe(target: Element, options?: any): void;
  unobserve(target: Element): void;
}
interface ResizeObserverEntry {
  readonly borderBoxSize: any[];
  readonly contentBoxSize: any[];
  readonly contentRect: DOMRect;
  readonly target: HTMLElement;
}
declare class PerformanceObserver {
  constructor(seen: (entries: any, observer: PerformanceObserver) => void);
  disconnect(): void;
  observe(options?: any): void;
}

// ---- the window -----------------------------------------------------------------------

interface MediaQueryList extends EventTarget {
  readonly matches: boolean;
  readonly media: string;
  addListener(listener: any): void;
  removeListener(listener: any): void;
}
declare class Storage {
  __index(): string;
  readonly length: number;
  clear(): void;
  getItem(key: string): string;
  key(index: number): string;
  removeItem(key: string): void;
  setItem(key: string, value: string): void;
}
declare var localStorage: Storage;
declare var sessionStorage: Storage;
interface Location {
  hash: string;
  host: string;
  hostname: string;
  href: string;
  readonly origin: string;
  pathname: string;
  port: string;
  protocol: string;
  search: string;
  assign(url: any): void;
  reload(): void;
  replace(url: any): void;
  toString(): string;
}
declare var location: Location;
interface History {
  readonly length: number;
  scrollRestoration: string;
  readonly state: any;
  back(): void;
  forward(): void;
  go(by?: number): void;
  pushState(state: any, unused: string, url?: any): void;
  replaceState(state: any, unused: string, url?: any): void;
}
declare var history: History;
interface Clipboard extends EventTarget {
  read(): Promise<any[]>;
  readText(): Promise<string>;
  write(items: any): Promise<void>;
  writeText(text: string): Promise<void>;
}
interface Navigator {
  readonly clipboard: Clipboard;
  readonly geolocation: any;
  readonly hardwareConcurrency: number;
  readonly language: string;
  readonly languages: string[];
  readonly maxTouchPoints: number;
  readonly mediaDevices: any;
  readonly onLine: boolean;
  readonly platform: string;
  readonly serviceWorker: any;
  readonly userAgent: string;
  readonly vendor: string;
  sendBeacon(url: any, data?: any): boolean;
  share(data?: any): Promise<void>;
  vibrate(pattern: any): boolean;
}
declare var navigator: Navigator;
interface Performance extends EventTarget {
  readonly timeOrigin: number;
  clearMarks(name?: string): void;
  clearMeasures(name?: string): void;
  getEntries(): any[];
  getEntriesByName(name: string, type?: string): any[];
  getEntriesByType(type: string): any[];
  mark(name: string, options?: any): any;
  measure(name: string, ...rest: any[]): any;
  now(): number;
  toJSON(): any;
}
declare var performance: Performance;
interface SubtleCrypto {
  decrypt(...args: any[]): Promise<ArrayBuffer>;
  deriveBits(...args: any[]): Promise<ArrayBuffer>;
  deriveKey(...args: any[]): Promise<any>;
  digest(algorithm: any, data: any): Promise<ArrayBuffer>;
  encrypt(...args: any[]): Promise<ArrayBuffer>;
  exportKey(...args: any[]): Promise<any>;
  generateKey(...args: any[]): Promise<any>;
  importKey(...args: any[]): Promise<any>;
  sign(...args: any[]): Promise<ArrayBuffer>;
  verify(...args: any[]): Promise<boolean>;
}
interface Crypto {
  readonly subtle: SubtleCrypto;
  getRandomValues<T>(array: T): T;
  randomUUID(): string;
}
declare var crypto: Crypto;
interface Screen {
  readonly availHeight: number;
  readonly availWidth: number;
  readonly height: number;
  readonly orientation: any;
  readonly width: number;
}
declare var screen: Screen;
declare class Window extends EventTarget {
  readonly crypto: Crypto;
  readonly customElements: CustomElementRegistry;
  readonly devicePixelRatio: number;
  readonly document: Document;
  readonly frames: Window;
  readonly history: History;
  readonly innerHeight: number;
  readonly innerWidth: number;
  readonly localStorage: Storage;
  location: Location;
  name: string;
  readonly navigator: Navigator;
  opener: any;
  readonly origin: string;
  readonly outerHeight: number;
  readonly outerWidth: number;
  readonly pageXOffset: number;
  readonly pageYOffset: number;
  readonly parent: Window;
  readonly performance: Performance;
  readonly screen: Screen;
  readonly scrollX: number;
  readonly scrollY: number;
  readonly self: Window;
  readonly sessionStorage: Storage;
  readonly top: Window;
  readonly visualViewport: any;
  readonly window: Window;
  alert(message?: any): void;
  atob(text: string): string;
  blur(): void;
  btoa(text: string): string;
  cancelAnimationFrame(id: number): void;
  clearInterval(id?: any): void;
  clearTimeout(id?: any): void;
  close(): void;
  confirm(message?: string): boolean;
  fetch(input: any, options?: any): Promise<Response>;
  focus(): void;
  getComputedStyle(element: Element, pseudo?: string): CSSStyleDeclaration;
  getSelection(): Selection;
  matchMedia(query: string): MediaQueryList;
  open(url?: any, target?: string, features?: string): Window;
  postMessage(message: any, ...rest: any[]): void;
  print(): void;
  prompt(message?: string, first?: string): string;
  queueMicrotask(run: () => void): void;
  requestAnimationFrame(run: (time: number) => void): number;
  requestIdleCallback(run: (deadline: any) => void, options?: any): number;
  scroll(...args: any[]): void;
  scrollBy(...args: any[]): void;
  scrollTo(...args: any[]): void;
  setInterval(run: (...args: any[]) => void, wait?: number, ...args: any[]): number;
  setTimeout(run: (...args: any[]) => void, wait?: number, ...args: any[]): number;
  stop(): void;
}
declare var window: Window;
declare var self: Window;
declare var parent: Window;
interface CustomElementRegistry {
  define(name: string, element: any, options?: any): void;
  get(name: string): any;
  whenDefined(name: string): Promise<any>;
}
declare var customElements: CustomElementRegistry;

// ---- network, streams, files ----------------------------------------------------------

declare function fetch(input: any, options?: any): Promise<Response>;
declare class Headers {
  constructor(init?: any);
  __elem(): [string, string];
  append(name: string, value: string): void;
  delete(name: string): void;
  entries(): IterableIterator<[string, string]>;
  forEach(visit: (value: string, key: string) => void): void;
  get(name: string): string;
  getSetCookie(): string[];
  has(name: string): boolean;
  keys(): IterableIterator<string>;
  set(name: string, value: string): void;
  values(): IterableIterator<string>;
}
interface Body {
  readonly body: ReadableStream<Uint8Array>;
  readonly bodyUsed: boolean;
  arrayBuffer(): Promise<ArrayBuffer>;
  blob(): Promise<Blob>;
  bytes(): Promise<Uint8Array>;
  formData(): Promise<FormData>;
  json(): Promise<any>;
  text(): Promise<string>;
}
declare class Request implements Body {
  constructor(input: any, options?: any);
  readonly body: ReadableStream<Uint8Array>;
  readonly bodyUsed: boolean;
  readonly headers: Headers;
  readonly method: string;
  readonly signal: AbortSignal;
  readonly url: string;
  arrayBuffer(): Promise<ArrayBuffer>;
  blob(): Promise<Blob>;
  bytes(): Promise<Uint8Array>;
  clone(): Request;
  formData(): Promise<FormData>;
  json(): Promise<any>;
  text(): Promise<string>;
}
declare class Response implements Body {
  constructor(body?: any, options?: any);
  static error(): Response;
  static json(data: any, options?: any): Response;
  static redirect(url: any, status?: number): Response;
  readonly body: ReadableStream<Uint8Array>;
  readonly bodyUsed: boolean;
  readonly headers: Headers;
  readonly ok: boolean;
  readonly redirected: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly type: string;
  readonly url: string;
  arrayBuffer(): Promise<ArrayBuffer>;
  blob(): Promise<Blob>;
  bytes(): Promise<Uint8Array>;
  clone(): Response;
  formData(): Promise<FormData>;
  json(): Promise<any>;
  text(): Promise<string>;
}
declare class FormData {
  constructor(form?: any, submitter?: any);
  __elem(): [string, any];
  append(name: string, value: any, file?: string): void;
  delete(name: string): void;
  entries(): IterableIterator<[string, any]>;
  forEach(visit: (value: any, key: string) => void): void;
  get(name: string): any;
  getAll(name: string): any[];
  has(name: string): boolean;
  keys(): IterableIterator<string>;
  set(name: string, value: any, file?: string): void;
  values(): IterableIterator<any>;
}
declare class Blob {
  constructor(parts?: any, options?: any);
  readonly size: number;
  readonly type: string;
  arrayBuffer(): Promise<ArrayBuffer>;
  bytes(): Promise<Uint8Array>;
  slice(start?: number, end?: number, type?: string): Blob;
  stream(): ReadableStream<Uint8Array>;
  text(): Promise<string>;
}
declare class File extends Blob {
  constructor(parts: any, name: string, options?: any);
  readonly lastModified: number;
  readonly name: string;
  readonly webkitRelativePath: string;
}
declare class FileList {
  __elem(): File;
  __index(): File;
  readonly length: number;
  item(index: number): File;
}
declare class FileReader extends EventTarget {
  readonly error: any;
  readonly result: any;
  abort(): void;
  readAsArrayBuffer(blob: Blob): void;
  readAsDataURL(blob: Blob): void;
  readAsText(blob: Blob, encoding?: string): void;
}
declare class URL {
  constructor(url: any, base?: any);
  static canParse(url: any, base?: any): boolean;
  static createObjectURL(value: any): string;
  static parse(url: any, base?: any): URL;
  static revokeObjectURL(url: string): void;
  hash: string;
  host: string;
  hostname: string;
  href: string;
  readonly origin: string;
  password: string;
  pathname: string;
  port: string;
  protocol: string;
  search: string;
  readonly searchParams: URLSearchParams;
  username: string;
  toJSON(): string;
  toString(): string;
}
declare class URLSearchParams {
  constructor(init?: any);
  __elem(): [string, string];
  readonly size: number;
  append(name: string, value: string): void;
  delete(name: string, value?: string): void;
  entries(): IterableIterator<[string, string]>;
  forEach(visit: (value: string, key: string) => void): void;
  get(name: string): string;
  getAll(name: string): string[];
  has(name: string, value?: string): boolean;
  keys(): IterableIterator<string>;
  set(name: string, value: string): void;
  sort(): void;
  toString(): string;
  values(): IterableIterator<string>;
}
declare class URLPattern {
  constructor(init?: any, base?: any);
  exec(input: any, base?: any): any;
  test(input: any, base?: any): boolean;
}
declare class ReadableStream<T> {
  constructor(source?: any, strategy?: any);
  static from<T>(items: T[]): ReadableStream<T>;
  __elem(): Promise<T>;
  readonly locked: boolean;
  cancel(reason?: any): Promise<void>;
  getReader(options?: any): ReadableStreamDefaultReader<T>;
  pipeThrough(transform: any, options?: any): ReadableStream<any>;
  pipeTo(target: WritableStream<T>, options?: any): Promise<void>;
  tee(): ReadableStream<T>[];
}
interface ReadableStreamDefaultReader<T> {
  readonly closed: Promise<void>;
  cancel(reason?: any): Promise<void>;
  read(): Promise<IteratorResult<T>>;
  releaseLock(): void;
}
interface ReadableStreamDefaultController<T> {
  readonly desiredSize: number;
  close(): void;
  enqueue(chunk?: T): void;
  error(reason?: any): void;
}
declare class WritableStream<T> {
  constructor(sink?: any, strategy?: any);
  readonly locked: boolean;
  abort(reason?: any): Promise<void>;
  close(): Promise<void>;
  getWriter(): WritableStreamDefaultWriter<T>;
}
interface WritableStreamDefaultWriter<T> {
  readonly closed: Promise<void>;
  readonly ready: Promise<void>;
  abort(reason?: any): Promise<void>;
  close(): Promise<void>;
  releaseLock(): void;
  write(chunk?: T): Promise<void>;
}
declare class TransformStream<I, O> {
  constructor(transformer?: any, writable?: any, readable?: any);
  readonly readable: ReadableStream<O>;
  readonly writable: WritableStream<I>;
}
interface TransformStreamDefaultController<O> {
  enqueue(chunk?: O): void;
  error(reason?: any): void;
  terminate(): void;
}
declare class TextEncoder {
  readonly encoding: string;
  encode(text?: string): Uint8Array;
  encodeInto(text: string, into: Uint8Array): any;
}
declare class TextDecoder {
  constructor(label?: string, options?: any);
  readonly encoding: string;
  decode(bytes?: any, options?: any): string;
}
declare class TextEncoderStream extends TransformStream<string, Uint8Array> {}
declare class TextDecoderStream extends TransformStream<Uint8Array, string> {}
declare class CompressionStream extends TransformStream<Uint8Array, Uint8Array> {}
declare class DecompressionStream extends TransformStream<Uint8Array, Uint8Array> {}
declare class WebSocket extends EventTarget {
  constructor(url: any, protocols?: any);
  static readonly CLOSED: number;
  static readonly CLOSING: number;
  static readonly CONNECTING: number;
  static readonly OPEN: number;
  binaryType: string;
  readonly bufferedAmount: number;
  readonly readyState: number;
  readonly url: string;
  close(code?: number, reason?: string): void;
  send(data: any): void;
}
declare class EventSource extends EventTarget {
  constructor(url: any, options?: any);
  readonly readyState: number;
  close(): void;
}
declare class XMLHttpRequest extends EventTarget {
  readonly readyState: number;
  readonly response: any;
  readonly responseText: string;
  responseType: string;
  readonly status: number;
  readonly statusText: string;
  timeout: number;
  readonly upload: EventTarget;
  withCredentials: boolean;
  abort(): void;
  getAllResponseHeaders(): string;
  getResponseHeader(name: string): string;
  open(method: string, url: any, ...rest: any[]): void;
  send(body?: any): void;
  setRequestHeader(name: string, value: string): void;
}
declare class MessagePort extends EventTarget {
  close(): void;
  postMessage(message: any, ...rest: any[]): void;
  start(): void;
}
declare class MessageChannel {
  readonly port1: MessagePort;
  readonly port2: MessagePort;
}
declare class BroadcastChannel extends EventTarget {
  constructor(name: string);
  close(): void;
  postMessage(message: any): void;
}
declare class Worker extends EventTarget {
  constructor(url: any, options?: any);
  postMessage(message: any, ...rest: any[]): void;
  terminate(): void;
}
declare class SharedWorker extends EventTarget {
  constructor(url: any, options?: any);
  readonly port: MessagePort;
}
declare class Notification extends EventTarget {
  constructor(title: string, options?: any);
  static requestPermission(): Promise<string>;
  close(): void;
}
interface IDBFactory {
  deleteDatabase(name: string): any;
  open(name: string, version?: number): any;
}
declare var indexedDB: IDBFactory;
interface CacheStorage {
  delete(name: string): Promise<boolean>;
  keys(): Promise<string[]>;
  match(request: any): Promise<Response>;
  open(name: string): Promise<any>;
}
declare var caches: CacheStorage;

// ---- Node.js --------------------------------------------------------------------------

declare class Buffer extends Uint8Array {
  static alloc(size: number, ...rest: any[]): Buffer;
  static allocUnsafe(size: number): Buffer;
  static byteLength(value: any, encoding?: string): number;
  static compare(a: any, b: any): number;
  static concat(list: any, length?: number): Buffer;
  static from(value: any, ...rest: any[]): Buffer;
  static isBuffer(value: any): boolean;
  static isEncoding(encoding: string): boolean;
  compare(other: any, ...rest: number[]): number;
  copy(target: any, ...rest: number[]): number;
  equals(other: any): boolean;
  readInt16BE(offset?: number): number;
  readInt16LE(offset?: number): number;
  readInt32BE(offset?: number): number;
  readInt32LE(offset?: number): number;
  readInt8(offset?: number): number;
  readUInt16BE(offset?: number): number;
  readUInt16LE(offset?: number): number;
  readUInt32BE(offset?: number): number;
  readUInt32LE(offset?: number): number;
  readUInt8(offset?: number): number;
  toJSON(): any;
  toString(encoding?: string, start?: number, end?: number): string;
  write(text: string, ...rest: any[]): number;
  writeInt32BE(value: number, offset?: number): number;
  writeInt32LE(value: number, offset?: number): number;
  writeUInt16BE(value: number, offset?: number): number;
  writeUInt16LE(value: number, offset?: number): number;
  writeUInt32BE(value: number, offset?: number): number;
  writeUInt32LE(value: number, offset?: number): number;
  writeUInt8(value: number, offset?: number): number;
}
interface __Stream {
  readonly columns: number;
  readonly isTTY: boolean;
  readonly rows: number;
  end(...args: any[]): this;
  off(event: string, listener: (...args: any[]) => void): this;
  on(event: string, listener: (...args: any[]) => void): this;
  once(event: string, listener: (...args: any[]) => void): this;
  pause(): this;
  pipe<T>(target: T, options?: any): T;
  removeListener(event: string, listener: (...args: any[]) => void): this;
  resume(): this;
  setEncoding(encoding: string): this;
  write(data: any, ...rest: any[]): boolean;
}
interface __Process {
  readonly arch: string;
  argv: string[];
  env: Record<string, string>;
  execArgv: string[];
  readonly execPath: string;
  exitCode: any;
  readonly pid: number;
  readonly platform: string;
  readonly ppid: number;
  readonly stderr: __Stream;
  readonly stdin: __Stream;
  readonly stdout: __Stream;
  title: string;
  readonly version: string;
  readonly versions: Record<string, string>;
  abort(): void;
  chdir(path: string): void;
  cpuUsage(before?: any): any;
  cwd(): string;
  emit(event: string, ...args: any[]): boolean;
  emitWarning(warning: any, ...rest: any[]): void;
  exit(code?: any): void;
  hrtime(before?: any): number[];
  kill(pid: number, signal?: any): boolean;
  memoryUsage(): any;
  nextTick(run: (...args: any[]) => void, ...args: any[]): void;
  off(event: string, listener: (...args: any[]) => void): this;
  on(event: string, listener: (...args: any[]) => void): this;
  once(event: string, listener: (...args: any[]) => void): this;
  removeAllListeners(event?: string): this;
  removeListener(event: string, listener: (...args: any[]) => void): this;
  send(message: any, ...rest: any[]): boolean;
  uptime(): number;
}
declare var process: __Process;
declare var global: any;
declare namespace NodeJS {
  interface Timeout {
    close(): this;
    hasRef(): boolean;
    ref(): this;
    refresh(): this;
    unref(): this;
  }
  interface Timer extends Timeout {}
  interface Immediate extends Timeout {}
  interface ErrnoException extends Error {
    code: string;
    errno: number;
    path: string;
    syscall: string;
  }
  interface ProcessEnv {
    __index(): string;
  }
  interface ReadableStream extends __Stream {}
  interface WritableStream extends __Stream {}
  interface ReadWriteStream extends __Stream {}
}
interface ImportMeta {
  readonly dirname: string;
  readonly env: any;
  readonly filename: string;
  readonly url: string;
  resolve(specifier: string): string;
}
