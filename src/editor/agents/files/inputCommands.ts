import * as vscode from 'vscode';
import type { CommandHandlers } from '#base/commandIds.ts';
import type { AgentSummary } from '#contract/agents.ts';
import type { InputsTarget } from '#pages/inputs/inputsMessages.ts';
import type { Connection, Connections } from '../../connections/connectionTypes.ts';
import { requireTrust } from '../../platform/trust.ts';
import type { FileTargets } from '../../runs/files/fileTargets.ts';
import { pickAgent } from '../../runs/files/newRunFile.ts';
import { getArgumentUri } from '../../runs/files/runFileChoice.ts';
import type { InputForms } from '../../runs/inputs/inputForms.ts';
import { isAgentFile } from './isAgentFile.ts';

interface InputCommandsParts {
	readonly connections: Connections;
	readonly targets: FileTargets;
	/** Returns the connection that runs agent files. */
	readonly getGateway: () => Connection;
	/** Describes the agent of a file. Rejects with the first error if the file isn't valid. */
	readonly describe: (file: vscode.Uri) => Promise<AgentSummary>;
	readonly loadForms: () => Promise<InputForms>;
}

/** Opens input forms of agents. */
export class InputCommands {
	readonly #parts: InputCommandsParts;
	readonly handlers: CommandHandlers = {
		'agentWorkbench.agent.runForm': argument => this.#openInputForm(argument),
	};

	constructor(parts: InputCommandsParts) {
		this.#parts = parts;
	}

	/**
	 * `argument` is the URI of an agent file or an agent in the tree. Defaults to the active agent file, or to an agent that the user picks.
	 */
	async #openInputForm(argument: unknown): Promise<void> {
		const target = await this.#chooseTarget(argument);
		if (target) {
			(await this.#parts.loadForms()).showForm(target);
		}
	}

	async #chooseTarget(argument: unknown): Promise<InputsTarget | undefined> {
		const { connections } = this.#parts;
		const node = toTreeAgent(argument);
		if (node) {
			return hasUnpublishedChanges(node.summary)
				? this.#createDraftTarget(vscode.Uri.file(node.summary.file ?? ''))
				: this.#createPublishedTarget(node.connectionId, node.summary);
		}
		const active = vscode.window.activeTextEditor?.document;
		const file = getArgumentUri(argument) ?? (active && isAgentFile(active) ? active.uri : undefined);
		if (file) {
			return this.#createDraftTarget(file);
		}
		const picked = await pickAgent(connections, vscode.l10n.t('Run with Form'));
		return (
			picked &&
			(hasUnpublishedChanges(picked)
				? this.#createDraftTarget(vscode.Uri.file(picked.file ?? ''))
				: this.#createPublishedTarget(connections.getDefault().id, picked))
		);
	}

	async #createDraftTarget(file: vscode.Uri): Promise<InputsTarget> {
		requireTrust();
		const { getGateway, describe, targets } = this.#parts;
		const { name, triggers = [] } = await describe(file);
		const trigger = await targets.chooseTrigger(file.toString(), triggers);
		return { connectionId: getGateway().id, agent: name, agentFile: file.toString(), ...(trigger === undefined ? {} : { trigger }) };
	}

	async #createPublishedTarget(connectionId: string, { name, triggers = [] }: AgentSummary): Promise<InputsTarget> {
		const trigger = await this.#parts.targets.chooseTrigger(`${connectionId} ${name}`, triggers);
		return { connectionId, agent: name, ...(trigger === undefined ? {} : { trigger }) };
	}
}

/** True if an agent's file differs from its published version. */
function hasUnpublishedChanges({ file, draft, published }: AgentSummary): boolean {
	return file !== null && (draft || !published);
}

function toTreeAgent(argument: unknown): { readonly connectionId: string; readonly summary: AgentSummary } | undefined {
	const node = (typeof argument === 'object' && argument !== null ? argument : {}) as { connectionId?: unknown; summary?: unknown };
	return typeof node.connectionId === 'string' && node.summary ? (node as { connectionId: string; summary: AgentSummary }) : undefined;
}
