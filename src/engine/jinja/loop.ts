import { TemplateError } from './templateError.ts';
import { isEqual } from './values/comparisons.ts';
import { type Arguments, Callable, Members, Undefined, type Value } from './values/values.ts';

/** Creates the `loop` object. `next` starts an iteration. `again` implements `loop(…)`, which runs a recursive loop over other items. */
export function createLoop(
	items: readonly Value[],
	depth: number,
	again?: (list: Value) => Value,
): { readonly loop: Members; readonly next: () => void } {
	let index = -1;
	let changed: readonly Value[] | undefined;
	const members: Readonly<Record<string, () => Value>> = {
		index: () => index + 1,
		index0: () => index,
		revindex: () => items.length - index,
		revindex0: () => items.length - index - 1,
		first: () => index === 0,
		last: () => index === items.length - 1,
		length: () => items.length,
		depth: () => depth + 1,
		depth0: () => depth,
		previtem: () => getLoopItem(items, index - 1, 'loop.previtem'),
		nextitem: () => getLoopItem(items, index + 1, 'loop.nextitem'),
	};
	const cycle = new Callable('loop.cycle', ({ positional }) => pickCycledValue(positional, index), true);
	const hasChanged = new Callable('loop.changed', ({ positional }) => {
		const before = changed;
		changed = positional;
		return !before || !isEqual([...before], [...positional]);
	});
	const getLoopMember = (name: string) => (Object.hasOwn(members, name) ? members[name]?.() : undefined);
	const loop = new Members('LoopContext', name => (name === 'cycle' ? cycle : name === 'changed' ? hasChanged : getLoopMember(name)), {
		call: ({ positional: [list] }: Arguments) => {
			if (!again) {
				throw new TemplateError("The loop must have the 'recursive' marker to be called recursively.");
			}
			return again(list ?? new Undefined());
		},
	});
	return { loop, next: () => index++ };
}

/** Returns one of several values in turn. */
export function pickCycledValue(values: readonly Value[], index: number): Value {
	if (values.length === 0) {
		throw new TemplateError('no items for cycling given');
	}
	return values[index % values.length] as Value;
}

function getLoopItem(items: readonly Value[], at: number, name: string): Value {
	return at >= 0 && at < items.length ? (items[at] as Value) : new Undefined(name);
}
