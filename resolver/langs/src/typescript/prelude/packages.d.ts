// Packages whose types much code goes through, as far as receivers depend on them.
// A name that is missing here leads outside as any import of a package does.

declare module "react" {
  export interface RefObject<T> {
    current: T;
  }
  export interface MutableRefObject<T> {
    current: T;
  }
  export function createRef<T>(): RefObject<T>;
  export function useRef<T>(initial: T): RefObject<T>;
  export function useCallback<T>(run: T, deps?: readonly any[]): T;
  export function useMemo<T>(make: () => T, deps?: readonly any[]): T;

  export class Component<P = {}, S = {}, SS = any> {
    constructor(props: P, context?: any);
    static contextType: any;
    static defaultProps: any;
    static displayName: string;
    static propTypes: any;
    readonly props: P;
    state: S;
    context: any;
    refs: any;
    setState(state: any, done?: () => void): void;
    forceUpdate(done?: () => void): void;
    render(): any;
    componentDidMount(): void;
    componentDidUpdate(props: P, state: S, snapshot?: SS): void;
    componentWillUnmount(): void;
    componentDidCatch(error: Error, info: any): void;
    getSnapshotBeforeUpdate(props: P, state: S): SS;
    shouldComponentUpdate(props: P, state: S, context: any): boolean;
    componentWillMount(): void;
    componentWillReceiveProps(props: P, context: any): void;
    componentWillUpdate(props: P, state: S, context: any): void;
    UNSAFE_componentWillMount(): void;
    UNSAFE_componentWillReceiveProps(props: P, context: any): void;
    UNSAFE_componentWillUpdate(props: P, state: S, context: any): void;
  }
  export class PureComponent<P = {}, S = {}, SS = any> extends Component<P, S, SS> {}
}
