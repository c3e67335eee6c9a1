package ask

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
)

// Surrounding is something beside the words of a command that decides what it
// acts on.
type Surrounding uint8

const (
	GitBranch        Surrounding = iota // the branch of the work tree
	KubeContext                         // "staging, namespace web"
	DockerContext                       // "remote"
	CloudProject                        // gcloud's active configuration
	TerraformContext                    // the selected workspace
)

// String returns how a surrounding is named in a form.
func (s Surrounding) String() string {
	return [...]string{"on branch", "in context", "in docker context", "in gcloud configuration", "in workspace"}[s]
}

// dependence says what programs depend on beside their words.
type dependence struct {
	programs string
	around   []Surrounding
	env      string // names of variables
}

// dependences lists it. Whoever reads the credentials of a cloud depends on what
// chooses them.
var dependences = []dependence{
	{"git git-lfs gh glab hub tea jj", []Surrounding{GitBranch}, "GIT_* GH_HOST GH_REPO GITLAB_HOST"},
	{"kubectl oc helm helmfile flux argocd istioctl kustomize k9s velero stern skaffold tilt kubeadm linkerd", []Surrounding{KubeContext}, "KUBECONFIG HELM_* ARGOCD_*"},
	{"docker docker-compose podman podman-compose nerdctl buildah skopeo", []Surrounding{DockerContext}, "DOCKER_HOST DOCKER_CONTEXT DOCKER_CONFIG CONTAINER_HOST COMPOSE_*"},
	{"aws sam cdk eksctl chalice copilot serverless s3cmd s5cmd rclone", nil, "AWS_* RCLONE_*"},
	{"gcloud gsutil bq", []Surrounding{CloudProject}, "CLOUDSDK_* GOOGLE_*"},
	{"az azd func", nil, "AZURE_* ARM_*"},
	{"terraform tofu terragrunt pulumi packer cdktf", []Surrounding{TerraformContext}, "TF_* TOFU_* TG_* PULUMI_* AWS_* GOOGLE_* CLOUDSDK_* AZURE_* ARM_* VAULT_* KUBECONFIG DIGITALOCEAN_* HCLOUD_* CLOUDFLARE_*"},
	{"psql pg_restore pg_dump createdb dropdb createuser dropuser vacuumdb reindexdb clusterdb pgbench", nil, "PG* DATABASE_URL"},
	{"mysql mariadb mysqladmin mysqlimport mysqldump", nil, "MYSQL_* DATABASE_URL"},
	{
		"redis-cli valkey-cli mongosh mongo mongorestore prisma rails rake alembic flyway liquibase knex sequelize diesel sqlx", nil,
		"REDIS* MONGO* DATABASE_URL DB_* RAILS_ENV RACK_ENV NODE_ENV APP_ENV FLYWAY_*",
	},
	{"ansible ansible-playbook ansible-pull ansible-galaxy", nil, "ANSIBLE_*"},
	{"vault consul nomad boundary", nil, "VAULT_* CONSUL_* NOMAD_* BOUNDARY_*"},
	{"heroku fly flyctl vercel netlify wrangler railway doctl hcloud linode-cli firebase", nil, "HEROKU_* FLY_* VERCEL_* NETLIFY_* CLOUDFLARE_* RAILWAY_* DIGITALOCEAN_* HCLOUD_* LINODE_* FIREBASE_*"},
	{"npm npx pnpm yarn bun", nil, "NPM_CONFIG_* npm_config_* YARN_* BUN_*"},
	{"pip pip3 pipx uv poetry pdm hatch twine conda mamba", nil, "VIRTUAL_ENV CONDA_PREFIX PIP_* UV_* TWINE_* POETRY_*"},
	{"cargo", nil, "CARGO_*"},
	{"gem bundle", nil, "GEM_* BUNDLE_* RUBYGEMS_HOST"},
	{"systemctl journalctl loginctl", nil, "DBUS_SESSION_BUS_ADDRESS SYSTEMD_HOST"},
	{"rsync scp sftp ssh mosh", nil, "RSYNC_RSH"},
	{"make gmake", nil, "MAKEFLAGS"},
}

// surroundings writes all that the commands of a call depend on, in a fixed
// order; ok is false where it cannot be told what that is.
func (f *Facts) surroundings(c *line.Call) (list []string, ok bool) {
	var around []Surrounding
	var env []string
	for i := range c.Parts {
		p := &c.Parts[i]
		for k := range dependences {
			d := &dependences[k]
			if !slices.Contains(strings.Fields(d.programs), program(p)) {
				continue
			}
			env = append(env, strings.Fields(d.env)...)
			for _, s := range d.around {
				if !chosen(p, s) && !slices.Contains(around, s) {
					around = append(around, s)
				}
			}
			if len(d.around) > 0 && !here(c, i) {
				return nil, false
			}
		}
	}
	slices.Sort(around)
	for _, s := range around {
		is, known := "", false
		if f.Around != nil {
			is, known = f.Around(s)
		}
		if !known {
			return nil, false
		}
		if is != "" {
			list = append(list, s.String()+" "+quote(is))
		}
	}
	if f.Env != nil && len(env) > 0 {
		for _, v := range f.Env(env) {
			list = append(list, "with "+quote(v))
		}
	}
	return list, true
}

func program(p *line.Part) string {
	name, _, _ := strings.Cut(p.Path, " ")
	return name
}

// here reports whether a part of a call runs in the directory of the shell, on
// this machine, as the same user.
func here(c *line.Call, at int) bool {
	for i := range c.Parts[:at] {
		if c.Parts[i].Away {
			return false
		}
	}
	for i := range c.Parts[:at+1] {
		for _, o := range c.Parts[i].Options {
			switch o.ID {
			case "C", "chdir", "git-dir", "work-tree", "directory", "cwd", "prefix", "kubeconfig":
				return false
			}
		}
	}
	return !slices.ContainsFunc(c.Before, func(s string) bool {
		name, _, _ := strings.Cut(s, " ")
		if slices.Contains([]string{"cd", "pushd", "popd", "chdir"}, name) {
			return true
		}
		return strings.Contains(s, "GIT_") || strings.Contains(s, "KUBECONFIG") || strings.Contains(s, "HOME")
	})
}

// chosen reports whether options of a command say themselves what a surrounding
// would decide.
func chosen(p *line.Part, s Surrounding) bool {
	return slices.ContainsFunc(p.Options, func(o line.CallOption) bool {
		switch s {
		case KubeContext:
			return o.Has && (o.Name == "--context" || o.Name == "--kube-context")
		case DockerContext:
			return o.Has && (o.Name == "--context" || o.Name == "--host")
		case CloudProject:
			return o.Has && o.Name == "--configuration"
		}
		return false
	})
}
