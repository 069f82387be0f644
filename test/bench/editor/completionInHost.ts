import * as vscode from 'vscode';
import { WindowUnderTest } from '../../support/editor/windowUnderTest.ts';
import { computeMedian, shuffleItems } from '../harness/contest.ts';
import type { CompletionFigures } from './inWindow.ts';

const nodesOf = { few: 10, many: 600 };
/** Texts typed into the last node, letter by letter: a field's name and a reference. */
const typed = ['error_str', 'answer: "{{#start.te'];
const rounds = 5;

/** Types into agent files with few and many nodes in turn, and requests completions at each letter. */
export async function measureCompletion(): Promise<CompletionFigures> {
	const window = new WindowUnderTest();
	const documents = {
		few: await window.openDocument('agents/few.yml', createAgentText(nodesOf.few)),
		many: await window.openDocument('agents/many.yml', createAgentText(nodesOf.many)),
	};
	const times = { few: [] as number[], many: [] as number[] };
	for (let round = 0; round <= rounds; round++) {
		for (const size of shuffleItems(['few', 'many'] as const)) {
			const took = await typeIntoDocument(documents[size]);
			if (round > 0) {
				times[size].push(computeMedian(took));
			}
		}
	}
	await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	await window.dispose();
	return times;
}

async function typeIntoDocument(document: vscode.TextDocument): Promise<readonly number[]> {
	const editor = await vscode.window.showTextDocument(document);
	const start = document.positionAt(document.getText().indexOf(mark) + mark.length);
	const times: number[] = [];
	for (const text of typed) {
		let position = start;
		for (const letter of text) {
			const began = performance.now();
			await editor.edit(edit => edit.insert(position, letter));
			position = position.translate(0, 1);
			const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
				'vscode.executeCompletionItemProvider',
				document.uri,
				position,
			);
			times.push(performance.now() - began);
			if (items.length === 0) {
				throw new Error(`No completions after "${text.slice(0, position.character - start.character)}"`);
			}
		}
		await editor.edit(edit => edit.delete(new vscode.Range(start, position)));
	}
	return times;
}

/** The text in the last node's data after which letters are typed. */
const mark = 'type: answer\n          ';

function createAgentText(nodes: number): string {
	const ids = Array.from({ length: nodes - 2 }, (_, index) => `t${index}`);
	const getPreviousNodeId = (index: number) => (index === 0 ? 'start, text' : `t${index - 1}, output`);
	const templates = ids.map(
		(id, index) => `      - id: ${id}
        data:
          type: template-transform
          title: Step ${index}
          template: "{{ text }}"
          variables: [{ variable: text, value_selector: [${getPreviousNodeId(index)}] }]
`,
	);
	const chain = ['start', ...ids, 'last'];
	const edges = chain.slice(1).map((id, index) => `      - { source: ${chain[index]}, target: ${id} }\n`);
	return `version: "0.6.0"
kind: app
app: { name: bench, mode: advanced-chat }
workflow:
  graph:
    nodes:
      - id: start
        data: { type: start, title: Start, variables: [{ variable: text, label: The text, type: paragraph }] }
${templates.join('')}      - id: last
        data:
          title: Last
          ${mark}
    edges:
${edges.join('')}`;
}
