import type { Suggestion } from './agentSuggestions.ts';

/** Maximum number of suggestions that are sent to the editor. Sending hundreds takes longer than finding them. */
const most = 100;

/**
 * Leaves out suggestions if there are more than 100: first those that don't contain the typed characters in their order, which the editor
 * wouldn't show either.
 * @param typed text between the start of the replaced range and the cursor
 * @returns the suggestions, in their order, and whether some may be missing after the next character, so that the editor has to ask again
 */
export function selectSuggestions(
	suggestions: readonly Suggestion[],
	typed: string,
): { readonly shown: readonly Suggestion[]; readonly isIncomplete: boolean } {
	if (suggestions.length <= most) {
		return { shown: suggestions, isIncomplete: false };
	}
	const matching = suggestions.filter(({ label, search }) => containsInOrder(`${label} ${search}`, typed));
	return { shown: matching.slice(0, most), isIncomplete: true };
}

function containsInOrder(text: string, characters: string): boolean {
	const all = text.toLowerCase();
	let at = 0;
	for (const character of characters.toLowerCase()) {
		at = all.indexOf(character, at) + 1;
		if (at === 0) {
			return false;
		}
	}
	return true;
}
