import { CharSet as Characters, type Concatenation, type Element, JS, type NoParent } from 'refa';

/** Required characters before and after a position for `\b`, `^` and `$`; undefined allows any character, or none. */
interface Guard {
	readonly before?: Characters | undefined;
	/** True if the start of the text is also allowed. */
	readonly atStart: boolean;
	readonly after?: Characters | undefined;
	/** True if there is an assertion that can fail. */
	readonly canFail: boolean;
}

/** A state, which reads a character of a class or joins paths without reading. */
interface State {
	readonly characters: Characters | undefined;
	readonly edges: { readonly to: number; readonly guard: Guard }[];
	accepts: boolean;
}

interface Way {
	readonly from: number;
	readonly guard: Guard;
}

/** A transition to a state that reads a character, one for each path that a search can take. */
export interface Step {
	readonly to: number;
	/** Readable characters, one bit for each kind that the pattern distinguishes. */
	readonly characters: bigint;
}

/** State of a search after it has read a character of one class of the pattern. */
export interface Place {
	readonly steps: readonly Step[];
	/** True if the pattern can end here, regardless of the next character. */
	readonly accepts: boolean;
}

const unguarded: Guard = { atStart: true, canFail: false };
/** Number of copies of a part with limited repetition. The limit bounds the time, so more copies wouldn't change the result. */
const mostCopies = 3;
/** Limits of this size or more count as unlimited. */
const unlimited = 1000;

/**
 * A pattern as an automaton: the states in which a search can be after each character, and their transitions. Only repetitions without a
 * limit, or with a high one, are loops.
 */
export class PatternAutomaton {
	readonly #states: State[] = [];
	/** True if a lookbehind reads back any number of characters at each position. */
	hasLongLookbehind = false;
	readonly places: readonly Place[];

	constructor(pattern: RegExp) {
		const { expression, maxCharacter } = JS.Parser.fromLiteral(pattern).parse({
			maxBackreferenceWords: 0,
			backreferences: 'unknown',
			assertions: 'parse',
		});
		const begin = this.#addState(undefined);
		// an unanchored search can start after any character
		const ways: Way[] = [{ from: begin, guard: unguarded }];
		if (!pattern.sticky) {
			const anywhere = this.#addState(Characters.all(maxCharacter));
			this.#connectPath({ from: begin, guard: unguarded }, anywhere);
			this.#connectPath({ from: anywhere, guard: unguarded }, anywhere);
			ways.push({ from: anywhere, guard: unguarded });
		}
		for (const { from, guard } of this.#addAlternatives(expression.alternatives, ways)) {
			(this.#states[from] as State).accepts ||= !guard.canFail;
		}
		this.places = this.#buildPlaces();
	}

	#addState(characters: Characters | undefined): number {
		return this.#states.push({ characters, edges: [], accepts: false }) - 1;
	}

	#connectPath({ from, guard }: Way, to: number): void {
		this.#states[from]?.edges.push({ to, guard });
	}

	/** Joins many paths into one, so that their number doesn't multiply. */
	#joinPaths(ways: readonly Way[]): readonly Way[] {
		if (ways.length < 2) {
			return ways;
		}
		const join = this.#addState(undefined);
		for (const way of ways) {
			this.#connectPath(way, join);
		}
		return [{ from: join, guard: unguarded }];
	}

	#addAlternatives(alternatives: readonly NoParent<Concatenation>[], ways: readonly Way[]): readonly Way[] {
		return this.#joinPaths(
			alternatives.flatMap(({ elements }) => elements.reduce((before, element) => this.#addElement(element, before), ways)),
		);
	}

	#addElement(element: NoParent<Element>, ways: readonly Way[]): readonly Way[] {
		switch (element.type) {
			case 'CharacterClass': {
				const state = this.#addState(element.characters);
				for (const way of ways) {
					this.#connectPath(way, state);
				}
				return [{ from: state, guard: unguarded }];
			}
			case 'Alternation':
				return this.#addAlternatives(element.alternatives, ways);
			case 'Quantifier':
				return this.#addRepetition(element, ways);
			case 'Assertion':
				return this.#addAssertion(element, ways);
			case 'Unknown':
				return ways.map(({ from, guard }) => ({ from, guard: { ...guard, canFail: true } }));
		}
	}

	#addRepetition({ alternatives, min, max }: NoParent<Extract<Element, { type: 'Quantifier' }>>, ways: readonly Way[]): readonly Way[] {
		let last = ways;
		const required = Math.min(min, mostCopies);
		for (let i = 0; i < required; i++) {
			last = this.#addAlternatives(alternatives, last);
		}
		if (max > unlimited) {
			const back = this.#addState(undefined);
			const repeated = { from: back, guard: unguarded };
			for (const way of this.#addAlternatives(alternatives, [...last, repeated])) {
				this.#connectPath(way, back);
			}
			return this.#joinPaths([...last, repeated]);
		}
		const ends = [...last];
		for (let i = required; i < Math.min(max, mostCopies); i++) {
			last = this.#addAlternatives(alternatives, last);
			ends.push(...last);
		}
		return this.#joinPaths(ends);
	}

	#addAssertion({ alternatives, kind, negate }: NoParent<Extract<Element, { type: 'Assertion' }>>, ways: readonly Way[]): readonly Way[] {
		const characters = getSingleCharacter(alternatives);
		const asserted = characters && (negate ? characters.negate() : characters);
		if (asserted === undefined && kind === 'ahead') {
			// the characters of a lookaround are read again afterwards, so these paths lead nowhere
			this.#addAlternatives(alternatives, ways);
		} else if (asserted === undefined) {
			this.hasLongLookbehind ||= isLongLookbehind(alternatives);
		}
		return ways.map(({ from, guard }) => ({ from, guard: addToGuard(guard, asserted, kind, negate) }));
	}

	/**
	 * Builds the automaton without joins. A path into the pattern that asserts the preceding character becomes a separate state for that
	 * character.
	 */
	#buildPlaces(): readonly Place[] {
		const kinds = createKindMap(
			this.#states.flatMap(({ characters, edges }) => [characters, ...edges.flatMap(({ guard }) => [guard.before, guard.after])]),
		);
		const places: { steps: Step[]; accepts: boolean }[] = this.#states.map(() => ({ steps: [], accepts: false }));
		for (const [from, state] of this.#states.entries()) {
			if (state.characters === undefined && from > 0) {
				continue;
			}
			const place = places[from] as (typeof places)[number];
			const followPaths = (at: number, guard: Guard, passed: readonly number[]) => {
				const { edges, accepts } = this.#states[at] as State;
				place.accepts ||= accepts && !guard.canFail;
				for (const edge of edges) {
					const next = combineGuards(guard, edge.guard);
					const target = this.#states[edge.to] as State;
					if (target.characters === undefined) {
						if (!passed.includes(edge.to)) {
							followPaths(edge.to, next, [...passed, edge.to]);
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
			followPaths(from, unguarded, []);
		}
		return places;
	}
}

/** State that reads the text before a match. */
const anywhereState = 1;

function addToGuard(guard: Guard, characters: Characters | undefined, kind: 'ahead' | 'behind', negate: boolean): Guard {
	if (characters === undefined) {
		return { ...guard, canFail: true };
	}
	return combineGuards(
		guard,
		kind === 'ahead' ? { after: characters, atStart: true, canFail: true } : { before: characters, atStart: negate, canFail: true },
	);
}

function combineGuards(a: Guard, b: Guard): Guard {
	const intersectSets = (x: Characters | undefined, y: Characters | undefined) => (x && y ? x.intersect(y) : (x ?? y));
	return {
		before: intersectSets(a.before, b.before),
		after: intersectSets(a.after, b.after),
		atStart: a.atStart && b.atStart,
		canFail: a.canFail || b.canFail,
	};
}

/** Returns the characters of a one-character assertion; undefined for a longer one. */
function getSingleCharacter(alternatives: readonly NoParent<Concatenation>[]): Characters | undefined {
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

function isLongLookbehind(alternatives: readonly NoParent<Concatenation>[]): boolean {
	return alternatives.some(({ elements }) =>
		elements.some(
			element =>
				(element.type === 'Quantifier' && element.max > unlimited) || ('alternatives' in element && isLongLookbehind(element.alternatives)),
		),
	);
}

/** Returns a function that converts sets of characters to bits, one for each kind of character that the sets distinguish. */
function createKindMap(sets: readonly (Characters | undefined)[]): (set: Characters) => bigint {
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
