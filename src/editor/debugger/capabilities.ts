import type { DebugProtocol } from '@vscode/debugprotocol';
import * as vscode from 'vscode';

/** What the debugger of agents can do. */
export function capabilities(): DebugProtocol.Capabilities {
	return {
		supportsConfigurationDoneRequest: true,
		supportsBreakpointLocationsRequest: true,
		supportsConditionalBreakpoints: true,
		supportsHitConditionalBreakpoints: true,
		supportsLogPoints: true,
		supportsEvaluateForHovers: true,
		supportsSetVariable: true,
		supportsSetExpression: true,
		supportsRestartFrame: true,
		supportsCompletionsRequest: true,
		completionTriggerCharacters: ['.', '#', '['],
		supportsExceptionInfoRequest: true,
		supportsTerminateRequest: true,
		exceptionBreakpointFilters: [
			{
				filter: 'node',
				label: vscode.l10n.t('Nodes that fail'),
				description: vscode.l10n.t('Stops where a node fails, before its retries and its error strategy'),
				default: false,
			},
			{
				filter: 'run',
				label: vscode.l10n.t('Failures that end the run'),
				description: vscode.l10n.t('Stops where a failure would end the run: inputs can be changed and the node run again'),
				default: true,
			},
		],
	};
}
