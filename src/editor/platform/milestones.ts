import * as vscode from 'vscode';

/** Milestones of new users. The walkthrough checks off a step once its milestone is reached (`completionEvents` in package.json). */
export const milestones = ['hasAgent', 'hasRun', 'hasConnection', 'hasReply'] as const;
type Milestone = (typeof milestones)[number];

/** Sets the context key `agentWorkbench.NAME` of a milestone. */
export function markMilestone(milestone: Milestone): void {
	void vscode.commands.executeCommand('setContext', `agentWorkbench.${milestone}`, true);
}
