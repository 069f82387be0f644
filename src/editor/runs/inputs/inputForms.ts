import * as vscode from 'vscode';
import type { InputsTarget } from '#pages/inputs/inputsMessages.ts';
import type { DeploymentDraft } from '#runs/runTypes.ts';
import { WebviewPages } from '../../platform/webviewPages.ts';
import { InputRuns, type InputRunsParts } from './inputRuns.ts';
import { InputsPanel } from './inputsPanel.ts';

/** The open forms for inputs, at most one for each agent. */
export class InputForms extends WebviewPages<InputsTarget, InputsPanel> {
	constructor(extensionUri: vscode.Uri, parts: InputRunsParts, log: vscode.LogOutputChannel) {
		const panelParts = { inputs: new InputRuns(parts), runs: parts.runs, log };
		super(extensionUri, {
			name: 'inputs',
			title: vscode.l10n.t({ message: 'Run', comment: ['noun: title of a form that starts a run'] }),
			create: (panel, target) => new InputsPanel(panel, target, panelParts),
			parseSaved: parseSavedTarget,
		});
	}

	/** Shows the form for a target in its open tab or in a new tab. */
	showForm(target: InputsTarget): void {
		this.openPage(target, page => isSameTarget(page.target, target));
	}
}

/** Parses the target that a page has saved, possibly a page of an older version. */
function parseSavedTarget(state: unknown): InputsTarget | undefined {
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
		...(isDeploymentDraft(draft) ? { draft } : {}),
	};
}

function isDeploymentDraft(value: unknown): value is DeploymentDraft {
	const { app, mode } = (value ?? {}) as Partial<Record<keyof DeploymentDraft, unknown>>;
	return typeof app === 'string' && typeof mode === 'string';
}

function isSameTarget(one: InputsTarget, other: InputsTarget): boolean {
	return (
		one.draft?.app === other.draft?.app &&
		(['connectionId', 'agent', 'agentFile', 'trigger'] as const).every(field => one[field] === other[field])
	);
}
