import { type Alias, type Document, isAlias, isNode, type Node, visit } from 'yaml';

/** The lists and maps that contain an alias or its value, outermost first. */
type Around = readonly unknown[];

/** An alias and its value. */
export interface Use {
	readonly alias: Alias;
	readonly value: Node;
	readonly around: Around;
}

/** Tracks values of a file that aliases share. A value is lost if its text is removed or changed while an alias still uses it. */
export class SharedValues {
	/** Aliases in file order. */
	readonly #uses: Use[] = [];
	readonly #used = new Map<unknown, Around>();
	readonly #values = new Map<unknown, Node>();
	readonly #detached = new Set<Node>();
	readonly #left: (readonly [number, number])[] = [];

	constructor(document: Document.Parsed) {
		const named = new Map<string, { value: Node; around: Around }>();
		visit(document, {
			Node: (_, node, around) => {
				if (!isAlias(node)) {
					if (node.anchor !== undefined) {
						named.set(node.anchor, { value: node, around });
					}
					return;
				}
				const target = named.get(node.source);
				if (target) {
					this.#uses.push({ alias: node, value: target.value, around });
					this.#used.set(target.value, target.around);
					this.#values.set(node, target.value);
				}
			},
		});
	}

	/** True if any value of the file is used by an alias. */
	get isAny(): boolean {
		return this.#used.size > 0;
	}

	/** True if a value is used by an alias. */
	isShared(node: unknown): node is Node {
		return this.#used.has(node);
	}

	/** Returns the lists and maps that contain a shared value. */
	getContainers(node: unknown): Around {
		return this.#used.get(node) ?? [];
	}

	/** Returns the value of an alias. */
	getAliasTarget(alias: unknown): Node | undefined {
		return this.#values.get(alias);
	}

	/** Marks a value as changed in place, while its aliases keep the old value. */
	markDetached(node: unknown): void {
		if (this.isShared(node)) {
			this.#detached.add(node);
		}
	}

	/** Marks the text of a value as removed. */
	markRemoved(node: unknown): void {
		if (this.#used.size > 0 && isNode(node) && node.range) {
			this.#left.push([node.range[0], node.range[2]]);
		}
	}

	/** True if a value was changed or removed at its anchor. */
	isLostValue(node: unknown): boolean {
		return isNode(node) && (this.#detached.has(node) || this.#isRemoved(node));
	}

	/** Returns the remaining aliases of lost values, in the order of the file. */
	listOrphanedAliases(): readonly Use[] {
		return this.#uses.filter(({ alias, value }) => !this.#isRemoved(alias) && this.isLostValue(value));
	}

	#isRemoved({ range }: Node): boolean {
		const [offset] = range ?? [-1];
		return this.#left.some(([start, end]) => offset >= start && offset < Math.max(end, start + 1));
	}
}
