import assert from 'node:assert/strict';
import type { Suggestion } from '#agentFile/completion/agentSuggestions.ts';
import { selectSuggestions } from '#agentFile/completion/selectSuggestions.ts';

describe('selectSuggestions', () => {
	const suggest = (label: string, search = ''): Suggestion => ({
		label,
		search,
		insert: label,
		isSnippet: false,
		kind: 'variable',
		detail: '',
		documentation: '',
		offset: 0,
		length: 0,
		continues: false,
	});
	const many = Array.from({ length: 600 }, (_, index) => suggest(`t${index}.output`, `Step ${index}`));
	const listLabels = (suggestions: readonly Suggestion[]) => suggestions.map(({ label }) => label);

	it('keeps up to 100 suggestions, whatever is typed', () => {
		const few = many.slice(0, 100);
		assert.deepEqual(selectSuggestions(few, 'x'), { shown: few, isIncomplete: false });
	});

	it('keeps the first 100 of more, and says that others are missing', () => {
		assert.deepEqual(selectSuggestions(many, ''), { shown: many.slice(0, 100), isIncomplete: true });
	});

	it('keeps those with the typed characters in their order, in the label or the title', () => {
		assert.deepEqual(listLabels(selectSuggestions(many, 'T599.o').shown), ['t599.output']);
		assert.deepEqual(listLabels(selectSuggestions(many, 'tep 599').shown), ['t599.output']);
		assert.deepEqual(listLabels(selectSuggestions([suggest('start.text'), ...many], 'start.te').shown), ['start.text']);
		assert.deepEqual(selectSuggestions(many, 'zz'), { shown: [], isIncomplete: true });
	});
});
