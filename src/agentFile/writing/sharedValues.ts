import { type Alias, type Document, isAlias, isNode, type Node, visit } from 'yaml';

/** Where an alias stands, or the value that it stands for: the lists and maps around it, from the outermost one inwards. */
type Around = readonly unknown[];

/** An alias, and the value that it stands for. */
export interface Use {
	readonly alias: Alias;
	readonly value: Node;
	readonly around: Around;
}

/**
 * Which values of a file are written once and stand in several places, by anchors and aliases, and which of them lose their place: where it goes away, or
 * gets another value while the others keep theirs.
 */
export class SharedValues {
	/** In the order of the file. */
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

	/** Whether any value of the file stands in two places. */
	get isAny(): boolean {
		return this.#used.size > 0;
	}

	/** Whether a value stands elsewhere too, by an alias. */
	isShared(node: unknown): node is Node {
		return this.#used.has(node);
	}

	/** What stands around a shared value. */
	aroundOf(node: unknown): Around {
		return this.#used.get(node) ?? [];
	}

	/** What an alias stands for. */
	valueOf(alias: unknown): Node | undefined {
		return this.#values.get(alias);
	}

	/** The value changes in its place: those that share it keep what it was. */
	detach(node: unknown): void {
		if (this.isShared(node)) {
			this.#detached.add(node);
		}
	}

	/** The text of a value goes away. */
	leave(node: unknown): void {
		if (this.#used.size > 0 && isNode(node) && node.range) {
			this.#left.push([node.range[0], node.range[2]]);
		}
	}

	/** Whether a value is no longer where its anchor was. */
	isLost(node: unknown): boolean {
		return isNode(node) && (this.#detached.has(node) || this.#isLeft(node));
	}

	/** Aliases that stay, but not what they stand for. In the order of the file. */
	orphans(): readonly Use[] {
		return this.#uses.filter(({ alias, value }) => !this.#isLeft(alias) && this.isLost(value));
	}

	#isLeft({ range }: Node): boolean {
		const [offset] = range ?? [-1];
		return this.#left.some(([start, end]) => offset >= start && offset < Math.max(end, start + 1));
	}
}
