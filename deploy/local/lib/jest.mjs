// Running one of the jest projects and reading the numbers from its report.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { ROOT } from './paths.mjs';
import { run, runVisibly } from './processes.mjs';

/** Their files take processes away from each other. */
const ALONE = new Set(['restarts']);

const JEST = path.join(ROOT, 'node_modules/jest/bin/jest.js');

/**
 * The test files of a project that match the wanted paths.
 *
 * @param {string} project
 * @param {string[]} paths
 */
export async function testFiles(project, paths) {
  // The paths come first: jest would take what follows --selectProjects for further projects.
  const args = [JEST, ...paths, '--listTests', '--selectProjects', project];
  const output = await run(process.execPath, args, { cwd: ROOT });
  return output.split('\n').filter((line) => path.isAbsolute(line));
}

/**
 * @param {{ project: string, paths: string[], reportFile: string, env: NodeJS.ProcessEnv }} options
 * @returns {Promise<{ passed: number, failed: number }>} a file that could not be run at all counts as one failure
 */
export async function runJest({ project, paths, reportFile, env }) {
  mkdirSync(path.dirname(reportFile), { recursive: true });
  rmSync(reportFile, { force: true });
  const workers = ALONE.has(project) ? 1 : Math.max(2, availableParallelism() - 1);
  const args = [
    '--selectProjects',
    project,
    '--json',
    `--outputFile=${reportFile}`,
    `--maxWorkers=${workers}`,
    ...paths,
  ];
  const exitCode = await runVisibly(process.execPath, [JEST, ...args], { cwd: ROOT, env });
  return countsIn(reportFile, exitCode);
}

/**
 * @param {string} reportFile
 * @param {number} exitCode
 */
function countsIn(reportFile, exitCode) {
  try {
    const report = JSON.parse(readFileSync(reportFile, 'utf8'));
    const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
    // Jest may also fail as a whole, for instance in a global set-up.
    return { passed: report.numPassedTests, failed: failed || (exitCode === 0 ? 0 : 1) };
  } catch {
    return { passed: 0, failed: 1 };
  }
}
