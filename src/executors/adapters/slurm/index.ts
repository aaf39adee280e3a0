export { slurmExecutor as default } from './slurm.ts';
