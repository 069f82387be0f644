import type { ServiceClient } from '#client/client.ts';
import type { WorkflowRunRequest } from '#contract/workflows.ts';

/** A run as a command for a POSIX shell; the key is a variable in it. */
export function curlOf(client: ServiceClient, request: WorkflowRunRequest): Promise<string> {
	return client.curl(request.response_mode === 'blocking' ? 'runWorkflow' : 'streamWorkflow', request);
}
