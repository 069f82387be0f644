import assert from 'node:assert/strict';
import { fillPrompt, type PromptVariable, parsePromptFile } from '#editor/chat/prompts/promptFile.ts';

describe('a prompt file', () => {
	for (const [title, text, expected] of [
		[
			'has a description and a name',
			"---\nname: review\ndescription: 'Reviews: it'\nmode: agent\n---\nReview it.\n",
			{ name: 'review', description: 'Reviews: it', body: 'Review it.' },
		],
		['needs no front matter', 'Review it.\n---\nThoroughly.', { description: '', body: 'Review it.\n---\nThoroughly.' }],
		['can be empty', '---\r\ndescription: Nothing\r\n---', { description: 'Nothing', body: '' }],
		['is used without front matter that cannot be read', '---\ndescription: [\n---\nBody', { description: '', body: 'Body' }],
		["can't have a name with blanks", '---\nname: my review\ndescription:\n---\nBody', { description: '', body: 'Body' }],
	] as const) {
		it(title, () => assert.deepEqual(parsePromptFile(text), expected));
	}
});

describe('the variables of a prompt', () => {
	const fill = async (body: string, values: Readonly<Record<string, string>>) => {
		const asked: PromptVariable[] = [];
		const text = await fillPrompt(body, async variable => {
			asked.push(variable);
			return values[variable.input?.name ?? variable.name];
		});
		return { text, asked };
	};

	it('are replaced, and each input is asked for once', async () => {
		const { text, asked } = await fill(`Translate \${selection} to \${input:language:e.g. French}, \${input:language}. \${file}`, {
			selection: `\${file}`,
			language: 'Thai',
			file: 'a.ts',
		});
		assert.equal(text, `Translate \${file} to Thai, Thai. a.ts`);
		assert.deepEqual(asked, [
			{ name: 'selection' },
			{ name: 'input', input: { name: 'language', placeholder: 'e.g. French' } },
			{ name: 'file' },
		]);
	});

	it('stay as they are if prompts have no such variables', async () => {
		const text = `\${x} and \${env:HOME}, $5 {a}`;
		assert.equal((await fill(text, {})).text, text);
	});
});
