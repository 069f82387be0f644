import { pathText } from '#base/text/textFaults.ts';
import type { AgentFileFault } from '#contract/agents.ts';
import type { AgentDiagnostic } from './agentFaults.ts';

/** What the gateway says of a file beside what its text tells. It stops at the first error, which follows from those that the text tells. */
export function faultsBeside(own: readonly AgentDiagnostic[], gateway: readonly AgentFileFault[]): AgentFileFault[] {
	const told = own.map(({ path }) => pathText(path));
	const hasErrors = own.some(({ severity }) => severity === 'error');
	return gateway.filter(({ path, severity }) =>
		severity === 'error' ? !hasErrors : !told.some(each => each === path || each.startsWith(`${path}.`)),
	);
}
