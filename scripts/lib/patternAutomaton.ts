import { CharSet as Characters, type Concatenation, type Element, JS, type NoParent } from 'refa';

/** What must come before and after a position, as `\b`, `^` and `$` say; undefined for any character, or none. */
interface Guard {
	readonly before?: Characters | undefined;
	/** Whether the start of the text does, too. */
	readonly atStart: boolean;
	readonly after?: Characters | undefined;
	/** Whether anything was asserted at all: it can fail. */
	readonly canFail: boolean;
}

/** A state: a character class of the pattern, or a join without characters. */
interface State {
	readonly characters: Characters | undefined;
	readonly edges: { readonly to: number; readonly guard: Guard }[];
	accepts: boolean;
}

interface Way {
	readonly from: number;
	readonly guard: Guard;
}

/** A step to a state that reads a character; one for each way that a search can take there. */
export interface Step {
	readonly to: number;
	/** The characters that can be read, one bit for each kind that the pattern tells apart. */
	readonly characters: bigint;
}

/** What a search is after it has read a character of one class of the pattern. */
export interface Place {
	readonly steps: readonly Step[];
	/** Whether the pattern can be over here, whatever comes next. */
	readonly accepts: boolean;
}

const unguarded: Guard = { atStart: true, canFail: false };
/** Copies of what is repeated a limited number of times. The limit bounds the time, so that more copies tell nothing new. */
const mostCopies = 3;
/** Repetitions from which a limit is none. */
const unlimited = 1000;

/** A pattern as an automaton: where a search can be after it has read a character, and where from there. Loops are those without a limit, or with a high one. */
export class PatternAutomaton {
	readonly #states: State[] = [];
	/** A lookbehind reads back any number of characters at each position. */
	hasLongLookbehind = false;
	readonly places: readonly Place[];

	constructor(pattern: RegExp) {
		const { expression, maxCharacter } = JS.Parser.fromLiteral(pattern).parse({
			maxBackreferenceWords: 0,
			backreferences: 'unknown',
			assertions: 'parse',
		});
		const begin = this.#add(undefined);
		// a search that is not anchored can begin after any character
		const ways: Way[] = [{ from: begin, guard: unguarded }];
		if (!pattern.sticky) {
			const anywhere = this.#add(Characters.all(maxCharacter));
			this.#connect({ from: begin, guard: unguarded }, anywhere);
			this.#connect({ from: anywhere, guard: unguarded }, anywhere);
			ways.push({ from: anywhere, guard: unguarded });
		}
		for (const { from, guard } of this.#alternatives(expression.alternatives, ways)) {
			(this.#states[from] as State).accepts ||= !guard.canFail;
		}
		this.places = this.#read();
	}

	#add(characters: Characters | undefined): number {
		return this.#states.push({ characters, edges: [], accepts: false }) - 1;
	}

	#connect({ from, guard }: Way, to: number): void {
		this.#states[from]?.edges.push({ to, guard });
	}

	/** One way for many, so that their number does not multiply. */
	#joined(ways: readonly Way[]): readonly Way[] {
		if (ways.length < 2) {
			return ways;
		}
		const join = this.#add(undefined);
		for (const way of ways) {
			this.#connect(way, join);
		}
		return [{ from: join, guard: unguarded }];
	}

	#alternatives(alternatives: readonly NoParent<Concatenation>[], ways: readonly Way[]): readonly Way[] {
		return this.#joined(alternatives.flatMap(({ elements }) => elements.reduce((before, element) => this.#element(element, before), ways)));
	}

	#element(element: NoParent<Element>, ways: readonly Way[]): readonly Way[] {
		switch (element.type) {
			case 'CharacterClass': {
				const state = this.#add(element.characters);
				for (const way of ways) {
					this.#connect(way, state);
				}
				return [{ from: state, guard: unguarded }];
			}
			case 'Alternation':
				return this.#alternatives(element.alternatives, ways);
			case 'Quantifier':
				return this.#repeated(element, ways);
			case 'Assertion':
				return this.#asserted(element, ways);
			case 'Unknown':
				return ways.map(({ from, guard }) => ({ from, guard: { ...guard, canFail: true } }));
		}
	}

	#repeated({ alternatives, min, max }: NoParent<Extract<Element, { type: 'Quantifier' }>>, ways: readonly Way[]): readonly Way[] {
		let last = ways;
		const required = Math.min(min, mostCopies);
		for (let i = 0; i < required; i++) {
			last = this.#alternatives(alternatives, last);
		}
		if (max > unlimited) {
			const back = this.#add(undefined);
			const repeated = { from: back, guard: unguarded };
			for (const way of this.#alternatives(alternatives, [...last, repeated])) {
				this.#connect(way, back);
			}
			return this.#joined([...last, repeated]);
		}
		const ends = [...last];
		for (let i = required; i < Math.min(max, mostCopies); i++) {
			last = this.#alternatives(alternatives, last);
			ends.push(...last);
		}
		return this.#joined(ends);
	}

	#asserted({ alternatives, kind, negate }: NoParent<Extract<Element, { type: 'Assertion' }>>, ways: readonly Way[]): readonly Way[] {
		const characters = oneCharacter(alternatives);
		const asserted = characters && (negate ? characters.negate() : characters);
		if (asserted === undefined && kind === 'ahead') {
			// what it reads is read again afterwards: these ways lead nowhere
			this.#alternatives(alternatives, ways);
		} else if (asserted === undefined) {
			this.hasLongLookbehind ||= isLong(alternatives);
		}
		return ways.map(({ from, guard }) => ({ from, guard: both(guard, asserted, kind, negate) }));
	}

	/** The automaton without its joins. A way into the pattern that asserts what comes before it is one of its own, which stands for such a character. */
	#read(): readonly Place[] {
		const kinds = kindsOf(
			this.#states.flatMap(({ characters, edges }) => [characters, ...edges.flatMap(({ guard }) => [guard.before, guard.after])]),
		);
		const places: { steps: Step[]; accepts: boolean }[] = this.#states.map(() => ({ steps: [], accepts: false }));
		for (const [from, state] of this.#states.entries()) {
			if (state.characters === undefined && from > 0) {
				continue;
			}
			const place = places[from] as (typeof places)[number];
			const follow = (at: number, guard: Guard, passed: readonly number[]) => {
				const { edges, accepts } = this.#states[at] as State;
				place.accepts ||= accepts && !guard.canFail;
				for (const edge of edges) {
					const next = combined(guard, edge.guard);
					const target = this.#states[edge.to] as State;
					if (target.characters === undefined) {
						if (!passed.includes(edge.to)) {
							follow(edge.to, next, [...passed, edge.to]);
						}
						continue;
					}
					const characters = kinds(next.after ? target.characters.intersect(next.after) : target.characters);
					if (characters === 0n || (from === 0 && !next.atStart) || (state.characters && next.before?.isDisjointWith(state.characters))) {
						continue;
					}
					const step = { to: edge.to, characters };
					if (from === anywhereState && next.before && state.characters) {
						place.steps.push({ to: places.push({ steps: [step], accepts: false }) - 1, characters: kinds(next.before) });
					} else {
						place.steps.push(step);
					}
				}
			};
			follow(from, unguarded, []);
		}
		return places;
	}
}

/** The state for the text before a match, where there is one. */
const anywhereState = 1;

function both(guard: Guard, characters: Characters | undefined, kind: 'ahead' | 'behind', negate: boolean): Guard {
	if (characters === undefined) {
		return { ...guard, canFail: true };
	}
	return combined(
		guard,
		kind === 'ahead' ? { after: characters, atStart: true, canFail: true } : { before: characters, atStart: negate, canFail: true },
	);
}

function combined(a: Guard, b: Guard): Guard {
	const meet = (x: Characters | undefined, y: Characters | undefined) => (x && y ? x.intersect(y) : (x ?? y));
	return {
		before: meet(a.before, b.before),
		after: meet(a.after, b.after),
		atStart: a.atStart && b.atStart,
		canFail: a.canFail || b.canFail,
	};
}

/** The characters of an assertion about one; undefined for a longer one. */
function oneCharacter(alternatives: readonly NoParent<Concatenation>[]): Characters | undefined {
	let found: Characters | undefined;
	for (const { elements } of alternatives) {
		const [only, ...others] = elements;
		if (only?.type !== 'CharacterClass' || others.length > 0) {
			return undefined;
		}
		found = found ? found.union(only.characters) : only.characters;
	}
	return found;
}

function isLong(alternatives: readonly NoParent<Concatenation>[]): boolean {
	return alternatives.some(({ elements }) =>
		elements.some(
			element => (element.type === 'Quantifier' && element.max > unlimited) || ('alternatives' in element && isLong(element.alternatives)),
		),
	);
}

/** Gives a set of characters as bits, one for each kind of character that these sets tell apart. */
function kindsOf(sets: readonly (Characters | undefined)[]): (set: Characters) => bigint {
	const starts = new Set<number>([0]);
	for (const { min, max } of sets.flatMap(set => set?.ranges ?? [])) {
		starts.add(min).add(max + 1);
	}
	const known = sets.filter(set => set !== undefined);
	const samples = new Map<string, number>();
	for (const start of starts) {
		samples.set(known.map(set => (set.has(start) ? '1' : '0')).join(''), start);
	}
	const cache = new Map<Characters, bigint>();
	return set => {
		let bits = cache.get(set);
		if (bits === undefined) {
			bits = [...samples.values()].reduce(
				(sum, sample, i) => (sample <= set.maximum && set.has(sample) ? sum | (1n << BigInt(i)) : sum),
				0n,
			);
			cache.set(set, bits);
		}
		return bits;
	};
}
