import { formatJsonPath } from '#base/text/textFaults.ts';
import type { AgentFileFault } from '#contract/agents.ts';
import type { AgentDiagnostic } from './agentFaults.ts';

/**
 * Returns the gateway's problems that the editor didn't find itself. Drops the gateway's errors if the editor found errors too, because the
 * gateway stops at the first one.
 */
export function filterGatewayFaults(own: readonly AgentDiagnostic[], gateway: readonly AgentFileFault[]): AgentFileFault[] {
	const reported = own.map(({ path }) => formatJsonPath(path));
	const hasErrors = own.some(({ severity }) => severity === 'error');
	return gateway.filter(({ path, severity }) =>
		severity === 'error' ? !hasErrors : !reported.some(each => each === path || each.startsWith(`${path}.`)),
	);
}
