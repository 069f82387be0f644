import { PatternAutomaton, type Place, type Step } from './patternAutomaton.ts';

/**
 * Returns how slow a search for a pattern can be; undefined if it takes at most linear time. It is slower if the same text reaches a loop
 * of the pattern on two paths and the part after the loop can fail, because a search tries each path. In `/\s+$/`, for example, a match can
 * start at every space.
 */
export function findSlowness(pattern: RegExp): 'exponential' | 'polynomial' | undefined {
	const { places, hasLongLookbehind } = new PatternAutomaton(pattern);
	const loops = findLoops(places).filter(loop => !loop.some(at => places[at]?.accepts));
	if (loops.some(loop => isAmbiguousLoop(places, loop))) {
		return 'exponential';
	}
	const isPolynomial =
		hasLongLookbehind || loops.some(first => loops.some(second => first !== second && canReachWithSameText(places, first, second)));
	return isPolynomial ? 'polynomial' : undefined;
}

type Loop = readonly number[];

/** Finds loops: sets of places that can all reach each other. */
function findLoops(places: readonly Place[]): readonly Loop[] {
	const reached = places.map((_, from) => findReachableNumbers([from], at => places[at]?.steps.map(({ to }) => to) ?? []));
	const loops = new Map<string, Loop>();
	for (const [from, place] of places.entries()) {
		const loop = [...(reached[from] ?? [])].filter(at => reached[at]?.has(from)).sort((a, b) => a - b);
		if (loop.length > 1 || place.steps.some(({ to }) => to === from)) {
			loops.set(loop.join(), loop);
		}
	}
	return [...loops.values()];
}

/** True if a loop can be passed on two paths with the same text. */
function isAmbiguousLoop(places: readonly Place[], loop: Loop): boolean {
	const size = places.length;
	const inside = new Set(loop);
	const getStepsFrom = (at: number) => places[at]?.steps.filter(({ to }) => inside.has(to)) ?? [];
	if (
		loop.some(at =>
			getStepsFrom(at).some((step, i) =>
				getStepsFrom(at).some((other, k) => k > i && other.to === step.to && canReadSameCharacter(step, other)),
			),
		)
	) {
		return true;
	}
	const getNextStates = (pair: number) =>
		pairSteps(getStepsFrom(Math.floor(pair / size)), getStepsFrom(pair % size)).map(([a, b]) => a.to * size + b.to);
	const diagonal = loop.map(at => at * size + at);
	return diagonal.some(start =>
		[...findReachableNumbers([start], getNextStates)].some(
			pair => Math.floor(pair / size) !== pair % size && findReachableNumbers([pair], getNextStates).has(start),
		),
	);
}

/**
 * True if the same text leads from a place of the first loop back to it, and also to a place of the second loop and from there back to
 * that place.
 */
function canReachWithSameText(places: readonly Place[], first: Loop, second: Loop): boolean {
	const size = places.length;
	const [inFirst, inSecond] = [new Set(first), new Set(second)];
	const getStepsFrom = (at: number) => places[at]?.steps ?? [];
	const getNextStates = (triple: number): number[] => {
		const [a, b, c] = [Math.floor(triple / size / size), Math.floor(triple / size) % size, triple % size];
		const outer = pairSteps(
			getStepsFrom(a).filter(({ to }) => inFirst.has(to)),
			getStepsFrom(c).filter(({ to }) => inSecond.has(to)),
		);
		return outer.flatMap(([x, z]) =>
			getStepsFrom(b)
				.filter(y => (x.characters & y.characters & z.characters) !== 0n)
				.map(y => (x.to * size + y.to) * size + z.to),
		);
	};
	return first.some(p => second.some(q => findReachableNumbers([(p * size + p) * size + q], getNextStates).has((p * size + q) * size + q)));
}

function pairSteps(some: readonly Step[], others: readonly Step[]): readonly [Step, Step][] {
	return some.flatMap(a => others.filter(b => canReadSameCharacter(a, b)).map((b): [Step, Step] => [a, b]));
}

function canReadSameCharacter(a: Step, b: Step): boolean {
	return (a.characters & b.characters) !== 0n;
}

/** Returns all numbers that can be reached from the start. */
function findReachableNumbers(start: readonly number[], next: (at: number) => readonly number[]): Set<number> {
	const reached = new Set(start);
	for (const at of reached) {
		for (const to of next(at)) {
			reached.add(to);
		}
	}
	return reached;
}
