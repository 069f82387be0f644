import { collectGarbage } from './collectGarbage.ts';

/**
 * Tracks new instances of a class of the installed extension with weak references. `v8.queryObjects` could find them too, but scans the
 * whole heap of the extension host, for seconds each time.
 */
export class Instances {
	readonly #made: WeakRef<object>[] = [];
	readonly #known = new WeakSet<object>();
	readonly #restore: () => void;

	/** `method`: a method that each instance calls during its construction. */
	constructor(type: new () => object, method: string) {
		const { prototype } = type as { prototype: Record<string, (...args: unknown[]) => unknown> };
		const original = prototype[method]!;
		const instances = this;
		prototype[method] = function (this: object, ...args: unknown[]) {
			instances.#trackInstance(this);
			return original.apply(this, args);
		};
		this.#restore = () => {
			prototype[method] = original;
		};
	}

	/** Number of created instances. */
	get made(): number {
		return this.#made.length;
	}

	/**
	 * Returns the number of instances that are still reachable after a garbage collection. Call it once per turn of the event loop, because
	 * the instances that it checks stay alive until the turn ends.
	 */
	countReachable(): number {
		collectGarbage();
		return this.#made.filter(made => made.deref() !== undefined).length;
	}

	dispose(): void {
		this.#restore();
	}

	#trackInstance(instance: object): void {
		if (!this.#known.has(instance)) {
			this.#known.add(instance);
			this.#made.push(new WeakRef(instance));
		}
	}
}
