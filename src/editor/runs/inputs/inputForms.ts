import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import type { InputsTarget } from '#pages/inputs/inputsProtocol.ts';
import type { DeploymentDraft } from '#runs/runTypes.ts';
import { inputsType } from '../../platform/names.ts';
import { tabIcon } from '../../platform/tabIcon.ts';
import { webviewPage, webviewRoots } from '../../platform/webviewPage.ts';
import { InputRuns, type InputRunsParts } from './inputRuns.ts';
import { InputsPanel, type InputsPanelParts } from './inputsPanel.ts';

/** The forms for inputs that are open, one an agent: loaded when the first one is. */
export class InputForms extends DisposableBase {
	readonly #extensionUri: vscode.Uri;
	readonly #parts: InputsPanelParts;
	readonly #panels = new Set<InputsPanel>();

	constructor(extensionUri: vscode.Uri, parts: InputRunsParts, log: vscode.LogOutputChannel) {
		super();
		this.#extensionUri = extensionUri;
		this.#parts = { inputs: new InputRuns(parts), runs: parts.runs, log };
	}

	/** Shows the form of a target: where it is open, else in a new tab. */
	show(target: InputsTarget): void {
		const open = [...this.#panels].find(panel => isSame(panel.target, target));
		if (open) {
			open.reveal();
		} else {
			this.#fill(vscode.window.createWebviewPanel(inputsType, vscode.l10n.t('Run'), vscode.ViewColumn.Active), target);
		}
	}

	/** Fills a panel that the editor brings back, with what its page has kept; one that does not tell whose inputs it is for is closed. */
	restore(webviewPanel: vscode.WebviewPanel, state: unknown): void {
		const target = keptTarget(state);
		if (target) {
			this.#fill(webviewPanel, target);
		} else {
			webviewPanel.dispose();
		}
	}

	#fill(webviewPanel: vscode.WebviewPanel, target: InputsTarget): void {
		const { webview } = webviewPanel;
		webview.options = { enableScripts: true, localResourceRoots: webviewRoots(this.#extensionUri) };
		webviewPanel.iconPath = tabIcon(this.#extensionUri);
		const panel = new InputsPanel(webviewPanel, target, this.#parts);
		this.#panels.add(panel);
		webviewPanel.onDidDispose(() => {
			panel.dispose();
			this.#panels.delete(panel);
		});
		webview.html = webviewPage(webview, this.#extensionUri, 'inputs', vscode.l10n.t('Run'));
	}

	override dispose(): void {
		super.dispose();
		for (const panel of this.#panels) {
			panel.dispose();
		}
	}
}

/** The target that a page has kept, read with care: the state of a panel may be an older version's. */
function keptTarget(state: unknown): InputsTarget | undefined {
	const { target } = (state ?? {}) as { target?: Partial<Record<keyof InputsTarget, unknown>> | null };
	const { connectionId, agent, agentFile, trigger, draft } = target ?? {};
	if (typeof connectionId !== 'string' || typeof agent !== 'string') {
		return undefined;
	}
	return {
		connectionId,
		agent,
		...(typeof agentFile === 'string' ? { agentFile } : {}),
		...(typeof trigger === 'string' ? { trigger } : {}),
		...(isDraft(draft) ? { draft } : {}),
	};
}

function isDraft(value: unknown): value is DeploymentDraft {
	const { app, mode } = (value ?? {}) as Partial<Record<keyof DeploymentDraft, unknown>>;
	return typeof app === 'string' && typeof mode === 'string';
}

function isSame(one: InputsTarget, other: InputsTarget): boolean {
	return (
		one.draft?.app === other.draft?.app &&
		(['connectionId', 'agent', 'agentFile', 'trigger'] as const).every(field => one[field] === other[field])
	);
}
