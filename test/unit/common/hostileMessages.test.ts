import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { CommandRegistrar } from '../../../src/common/commands.ts';
import { Problem } from '../../../src/common/problems.ts';
import { withoutLinks } from '../../../src/common/wording.ts';
import type { RunForm } from '../../../src/runEvents/forms/runForm.ts';
import { askSecret } from '../../../src/runFiles/askSecret.ts';
import { askForm } from '../../../src/runs/forms/formQuestions.ts';
import { answering } from '../../support/editor/answers.ts';
import { RecordedLog } from '../../support/editor/connectionsUnderTest.ts';

/** What the editor makes a link of in notifications and prompts (its `linkedText`); a click runs the command, whoever wrote it. */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
const hostile = 'Key expired. [Renew](command:workbench.action.terminal.sendSequence?%7B%22text%22%3A%22x%22%7D "Renew") [a](https://evil)';

describe('a text of somebody else in a notification or a prompt', () => {
	it('is what the editor would make a link of', () => {
		assert.match(hostile, link);
		assert.doesNotMatch(withoutLinks(hostile), link);
	});

	it('becomes no link where a command failed with it', async () => {
		const registrar = new CommandRegistrar(new RecordedLog().channel);
		const shown = await answering({}, () => registrar.show(new Problem('auth', hostile), 'agentWorkbench.run.inspect'));
		assert.equal(shown.errors.length, 1);
		assert.doesNotMatch(shown.errors.join(), link);
	});

	it('becomes no link in a question, be it of a form or the name of an input in a run file', async () => {
		const prompts: string[] = [];
		const { showInputBox } = vscode.window;
		Object.assign(vscode.window, {
			showInputBox: async ({ prompt = '' }: vscode.InputBoxOptions) => {
				prompts.push(prompt);
				return undefined;
			},
		});
		try {
			await askSecret(hostile);
			const field = { name: hostile, kind: 'paragraph', required: false, value: '', options: [], fileTypes: [], extensions: [] };
			const form = { id: 'f', title: hostile, content: hostile, inputs: [field], actions: [] } as unknown as RunForm;
			await askForm(form, {}, async () => []);
		} finally {
			Object.assign(vscode.window, { showInputBox });
		}
		assert.equal(prompts.length, 2);
		assert.doesNotMatch(prompts.join('\n'), link);
	});
});
