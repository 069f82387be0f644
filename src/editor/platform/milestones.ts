import * as vscode from 'vscode';

/** What a newcomer has done; the walkthrough ticks a step once its milestone is reached (`completionEvents` in package.json). */
export const milestones = ['hasAgent', 'hasRun', 'hasConnection', 'hasReply'] as const;
type Milestone = (typeof milestones)[number];

/** Says that a milestone is reached, as the context key `agentWorkbench.NAME`. */
export function reached(milestone: Milestone): void {
	void vscode.commands.executeCommand('setContext', `agentWorkbench.${milestone}`, true);
}
