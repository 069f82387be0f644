import type { DebugProtocol } from '@vscode/debugprotocol';
import * as vscode from 'vscode';

/** Returns the debugger's capabilities. */
export function getCapabilities(): DebugProtocol.Capabilities {
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
		supportsStepBack: true,
		supportsCompletionsRequest: true,
		completionTriggerCharacters: ['.', '#', '['],
		supportsExceptionInfoRequest: true,
		supportsTerminateRequest: true,
		exceptionBreakpointFilters: [
			{
				filter: 'node',
				label: vscode.l10n.t('Failed nodes'),
				description: vscode.l10n.t('Stops when a node fails, before its retries and error strategy apply'),
				default: false,
			},
			{
				filter: 'run',
				label: vscode.l10n.t('Failures that end the run'),
				description: vscode.l10n.t('Stops when a failure would end the run, so that you can change inputs and run the node again'),
				default: true,
			},
			{
				filter: 'model',
				label: vscode.l10n.t('Model calls'),
				description: vscode.l10n.t('Stops before a node calls a model, so that you can answer by hand'),
				default: false,
			},
		],
	};
}
