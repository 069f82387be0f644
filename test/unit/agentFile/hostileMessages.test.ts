import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { readAgentGraph } from '#agentFile/agentGraph.ts';
import { AgentText } from '#agentFile/agentText.ts';
import { Problem } from '#base/problems.ts';
import { askForNodeInputs } from '#editor/agents/nodeRuns/typedInputs.ts';
import { CommandRegistrar } from '#editor/platform/commands.ts';
import { escapeLinks } from '#editor/platform/wording.ts';
import { askSecret } from '#editor/runs/files/askSecret.ts';
import { askForm } from '#editor/runs/forms/formQuestions.ts';
import type { RunForm } from '#runs/forms/runForm.ts';
import { root } from '../../../scripts/lib/paths.ts';
import { answerDialogs } from '../../support/editor/answers.ts';
import { RecordedLog } from '../../support/editor/connectionsUnderTest.ts';

/** Matches text that the editor shows as a link in notifications and prompts (its `linkedText`). A click runs its command. */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
const hostile = 'Key expired. [Renew](command:workbench.action.terminal.sendSequence?%7B%22text%22%3A%22x%22%7D "Renew") [a](https://evil)';

describe('untrusted text in a notification or prompt', () => {
	it('would become a link in the editor if it were not escaped', () => {
		assert.match(hostile, link);
		assert.doesNotMatch(escapeLinks(hostile), link);
	});

	it('is not a link in the error of a command', async () => {
		const registrar = new CommandRegistrar(new RecordedLog().channel);
		const shown = await answerDialogs({}, () => registrar.showError(new Problem('auth', hostile), 'agentWorkbench.run.inspect'));
		assert.equal(shown.errors.length, 1);
		assert.doesNotMatch(shown.errors.join(), link);
	});

	it('is not a link in a question, in the name of an input or in the type of a value', async () => {
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
			const text = `workflow:
  graph:
    nodes:
      - {id: begin, data: {type: start, title: Start, variables: [{variable: 'a', type: '${hostile.replaceAll("'", "''")}'}]}}
      - {id: say, data: {type: answer, title: Say, answer: '{{#begin.a#}}'}}
    edges: []
`;
			const graph = readAgentGraph(new AgentText(text).content);
			await askForNodeInputs(text, graph, graph.nodes[1]!);
		} finally {
			Object.assign(vscode.window, { showInputBox });
		}
		assert.equal(prompts.length, 3);
		assert.doesNotMatch(prompts.join('\n'), link);
	});

	it('is never inserted into a notification unescaped', () => {
		const sources = path.join(root, 'src');
		const wrong = fs.globSync('**/*.ts', { cwd: sources }).flatMap(file => {
			const text = fs.readFileSync(path.join(sources, file), 'utf8');
			return [...text.matchAll(/show(?:Error|Warning|Information)Message\(/g)].flatMap(({ index, 0: start }) => {
				const call = readArguments(text, index + start.length);
				// the editor shows no links in dialogs
				const isSafe = /^\s*escapeLinks\(|modal: true/.test(call) || isConstantCall(call);
				return isSafe ? [] : [`${file}: ${call.replaceAll(/\s+/g, ' ').slice(0, 100)}`];
			});
		});
		assert.deepEqual(wrong, []);
	});

	it('is never inserted into a prompt unescaped', () => {
		const sources = path.join(root, 'src');
		const wrong = fs
			.globSync('**/*.ts', { cwd: sources })
			.filter(file =>
				/\bprompt(?::| =) (?!escapeLinks)[^;]{0,20}l10n\.t\([^)]*\{\d\}/.test(fs.readFileSync(path.join(sources, file), 'utf8')),
			);
		assert.deepEqual(wrong, []);
	});
});

/** Returns the arguments of a call, which start at an offset, as text. */
function readArguments(text: string, start: number): string {
	let end = start;
	for (let depth = 1; depth > 0 && end < text.length; end++) {
		depth += text[end] === '(' ? 1 : text[end] === ')' ? -1 : 0;
	}
	return text.slice(start, end - 1);
}

/** True if a notification consists of strings without placeholders. */
function isConstantCall(call: string): boolean {
	const rest = call.replaceAll(/vscode\.l10n\.t\(\s*(['"`])(?:(?!\1|\{\d\}).)*\1,?\s*\)/g, '');
	return rest !== call && !/\{\d\}/.test(rest) && !/^\s*\w/.test(rest);
}
