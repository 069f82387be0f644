import type { Suite } from '#suites/suite.ts';

interface Named {
	readonly name: string;
}

/** Returns a filter for the cases whose name has a text, ignoring case; `undefined` for all, as when the suite's name has it. */
export function createCaseFilter(suite: Pick<Suite, 'name'>, text: string | undefined): ((each: Named) => boolean) | undefined {
	const wanted = text?.toLowerCase() ?? '';
	const isWanted = ({ name }: Named) => name.toLowerCase().includes(wanted);
	return isWanted(suite) ? undefined : isWanted;
}
