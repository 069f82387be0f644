import { collectGarbage } from './collectGarbage.ts';

/**
 * Instances that are made from now on of a class of the installed extension, held weakly. `v8.queryObjects` would find them too, but walks through the
 * whole heap of the extension host, for seconds each time.
 */
export class Instances {
	readonly #made: WeakRef<object>[] = [];
	readonly #known = new WeakSet<object>();
	readonly #restore: () => void;

	/** `method`: one that each instance calls while it is made. */
	constructor(type: new () => object, method: string) {
		const { prototype } = type as { prototype: Record<string, (...args: unknown[]) => unknown> };
		const original = prototype[method]!;
		const instances = this;
		prototype[method] = function (this: object, ...args: unknown[]) {
			instances.#add(this);
			return original.apply(this, args);
		};
		this.#restore = () => {
			prototype[method] = original;
		};
	}

	/** How many were made. */
	get made(): number {
		return this.#made.length;
	}

	/** How many of them are still held by others, after garbage was collected. To be asked once a turn: what is looked at lives until the turn ends. */
	alive(): number {
		collectGarbage();
		return this.#made.filter(made => made.deref() !== undefined).length;
	}

	dispose(): void {
		this.#restore();
	}

	#add(instance: object): void {
		if (!this.#known.has(instance)) {
			this.#known.add(instance);
			this.#made.push(new WeakRef(instance));
		}
	}
}
