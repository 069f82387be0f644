import type { ServiceClient } from '#client/client.ts';
import type { WorkflowRunRequest } from '#contract/workflows.ts';

/** Formats a run as a cURL command for a POSIX shell. The key is a shell variable. */
export function toCurlCommand(client: ServiceClient, request: WorkflowRunRequest): Promise<string> {
	return client.formatCurl(request.response_mode === 'blocking' ? 'runWorkflow' : 'streamWorkflow', request);
}
