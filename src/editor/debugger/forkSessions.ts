import * as vscode from 'vscode';
import { readAgentGraph } from '#agentFile/agentGraph.ts';
import { AgentText } from '#agentFile/agentText.ts';
import { isCancellation, Problem } from '#base/problems.ts';
import type { PartialRun } from '#contract/partialRun.ts';
import { sealLaunch } from '#runs/request/suiteLaunch.ts';
import { confirmSideEffects } from '../agents/nodeRuns/sideEffects.ts';
import type { AgentDebugAdapter } from './agentDebugAdapter.ts';
import type { LaunchConfiguration } from './debugLauncher.ts';

interface ForkSessionsParts {
	/** Returns the adapter of a session of this window. */
	readonly findAdapter: (session: string) => AgentDebugAdapter | undefined;
	/** Returns the number of a run's replies that its gateway keeps. */
	readonly countKeptReplies: (run: string) => Promise<number | undefined>;
	readonly showError: (error: unknown) => unknown;
}

/** Starts debug sessions for forks from an earlier step. Each ends the session that it comes from, once its run has been accepted. */
export class ForkSessions {
	readonly #parts: ForkSessionsParts;

	constructor(parts: ForkSessionsParts) {
		this.#parts = parts;
	}

	/** Starts a fork of a session. Resolves to false if the user cancels or after showing an error. */
	async startFork(parent: vscode.DebugSession, file: string, part: PartialRun, step: LaunchConfiguration['step']): Promise<boolean> {
		try {
			const document = await vscode.workspace.openTextDocument(file);
			const graph = readAgentGraph(new AgentText(document.getText()).content);
			const node = graph.nodes.find(({ id }) => id === part.node);
			if (!node) {
				const relative = vscode.workspace.asRelativePath(document.uri);
				throw new Problem('no-node', vscode.l10n.t("The node '{0}' no longer exists in '{1}'.", part.node, relative));
			}
			const kept = (await this.#parts.countKeptReplies(part.run ?? '').catch(() => undefined)) ?? 0;
			const effects = await confirmSideEffects(graph, [part.node, ...(part.also ?? [])], kept > 0);
			if (!effects) {
				return false;
			}
			const fork: PartialRun = effects === 'recorded' ? { ...part, side_effects: effects } : part;
			return await vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(document.uri), {
				type: parent.type,
				request: 'launch',
				name: vscode.l10n.t("Fork from '{0}'", node.title),
				runFile: file,
				fork: sealLaunch(fork),
				forkOf: parent.id,
				stopOnEntry: step !== undefined,
				...(step && { step }),
			} satisfies vscode.DebugConfiguration & LaunchConfiguration);
		} catch (error) {
			if (!isCancellation(error)) {
				void this.#parts.showError(error);
			}
			return false;
		}
	}

	/** Ends the session that a fork comes from, because the fork runs. */
	onDidStart(fork: vscode.DebugSession): void {
		this.#findParent(fork)?.stopRun();
	}

	/** Shows the session that a fork comes from again, if the fork didn't start. */
	onDidTerminate(fork: vscode.DebugSession): void {
		this.#findParent(fork)?.showStopAgain();
	}

	#findParent({ configuration }: vscode.DebugSession): AgentDebugAdapter | undefined {
		const { forkOf } = configuration as LaunchConfiguration;
		return forkOf === undefined ? undefined : this.#parts.findAdapter(forkOf);
	}
}
