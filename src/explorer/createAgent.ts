import * as vscode from 'vscode';
import { Problem } from '../common/problems.ts';

/** Writes a small agent that runs at once into the first agents folder of the workspace, and opens it. */
export async function createAgent(): Promise<void> {
	const [folder] = vscode.workspace.workspaceFolders ?? [];
	if (!folder) {
		throw new Problem('no-folder', vscode.l10n.t('An agent is a file of the workspace: open a folder first.'), {
			title: vscode.l10n.t('Open Folder'),
			command: 'vscode.openFolder',
		});
	}
	const [agents = 'agents'] = vscode.workspace.getConfiguration('agentWorkbench', folder).get<string[]>('gateway.agentFolders', []);
	const taken = await namesIn(vscode.Uri.joinPath(folder.uri, agents));
	const name = await vscode.window.showInputBox({
		title: vscode.l10n.t('New agent'),
		prompt: vscode.l10n.t('Name of the agent, and of its file in “{0}”', agents),
		value: taken.includes('hello') ? '' : 'hello',
		validateInput: text => {
			if (!/^[\w-]{1,64}$/.test(text.trim())) {
				return vscode.l10n.t('Expected letters, digits, “-” and “_”.');
			}
			return taken.includes(text.trim()) ? vscode.l10n.t('There is an agent of this name.') : undefined;
		},
	});
	if (name !== undefined) {
		const uri = vscode.Uri.joinPath(folder.uri, agents, `${name.trim()}.yml`);
		await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(agentFile(name.trim())));
		await vscode.window.showTextDocument(uri);
	}
}

async function namesIn(folder: vscode.Uri): Promise<string[]> {
	try {
		return (await vscode.workspace.fs.readDirectory(folder)).map(([file]) => file.replace(/\.ya?ml$/, ''));
	} catch {
		// the folder comes with its first file
		return [];
	}
}

/** Start, template, end (workflow DSL, sections 1 and 3): no model, no code, an answer at once. */
function agentFile(name: string): string {
	return `version: "0.6.0"
kind: app
app:
  name: ${name}
  mode: workflow
  description: ""
workflow:
  environment_variables: []
  conversation_variables: []
  features: {}
  graph:
    nodes:
      - id: start
        type: custom
        position: { x: 80, y: 280 }
        data:
          type: start
          title: Start
          variables:
            - variable: name
              label: Name
              type: text-input
              required: true
              max_length: 48
      - id: greet
        type: custom
        position: { x: 380, y: 280 }
        data:
          type: template-transform
          title: Greet
          template: "Hello {{ name }}"
          variables:
            - variable: name
              value_selector: [start, name]
      - id: end
        type: custom
        position: { x: 680, y: 280 }
        data:
          type: end
          title: End
          outputs:
            - variable: greeting
              value_selector: [greet, output]
    edges:
      - { id: start-greet, type: custom, source: start, sourceHandle: source, target: greet, targetHandle: target }
      - { id: greet-end, type: custom, source: greet, sourceHandle: source, target: end, targetHandle: target }
`;
}
