import type { Translate } from '#base/text/localization.ts';
import { formatScalar } from '../scalarText.ts';
import type { TextChange } from '../writing/textChanges.ts';
import { filterOccurrences, type NamePlace } from './agentNames.ts';

/** First segments of references that aren't nodes. */
const reserved = ['sys', 'env', 'conversation', 'context'];

/** Returns why a name can't be changed; `undefined` if it can. */
export function explainFixedName(places: readonly NamePlace[], name: NamePlace, t: Translate): string | undefined {
	if (filterOccurrences(places, name).some(({ declares }) => declares)) {
		return undefined;
	}
	return name.variable === undefined
		? t("'{0}' isn't a node of this file.", name.scope)
		: t("'{0}' can't be renamed because its name comes from the node type.", name.variable);
}

/** Returns why a new name can't be used; `undefined` if it can. */
export function explainRefusedName(
	places: readonly NamePlace[],
	{ scope, variable }: NamePlace,
	wanted: string,
	t: Translate,
): string | undefined {
	const isNode = variable === undefined;
	// names that references can contain (workflow DSL, "Referring to variables")
	const form = isNode ? /^[a-zA-Z0-9_]{1,50}$/ : /^[a-zA-Z_][a-zA-Z0-9_]{0,29}$/;
	if (!form.test(wanted)) {
		return isNode
			? t("'{0}' isn't a valid node ID. Use 1 to 50 letters, digits and underscores.", wanted)
			: t("'{0}' isn't a valid variable name. Use a letter or underscore, then up to 29 letters, digits and underscores.", wanted);
	}
	const taken = places.some(
		place =>
			place.declares &&
			(isNode ? place.variable === undefined && place.scope === wanted : place.scope === scope && place.variable === wanted),
	);
	if (taken || (isNode && reserved.includes(wanted))) {
		return t("'{0}' is already in use.", wanted);
	}
	return undefined;
}

/** Returns the changes that rename all occurrences. */
export function createRenameChanges(places: readonly NamePlace[], name: NamePlace, wanted: string): readonly TextChange[] {
	// a plain value such as `on` or `12` needs quotes
	return filterOccurrences(places, name).map(({ offset, length, plain }) => ({
		offset,
		length,
		text: plain ? formatScalar(wanted) : wanted,
	}));
}
